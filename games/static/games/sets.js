// What a set counts, in words. It explains; whether a play is legal is the server's to say.
import { animals, BEAR, parse, plural } from "./cards.js";
import { listed } from "./elements.js";

/** Return bears, sum, count and sports of a set; ``named`` is the animal that bears alone were named. */
export function measure(cards, named = null) {
  const parsed = cards.map(parse);
  const others = parsed.filter(({ animal }) => animal !== BEAR);
  const bears = parsed.length - others.length;
  const highest = Math.max(0, ...parsed.filter(({ animal }) => animal !== "fish").map(({ number }) => number));
  const sum = parsed.reduce((total, { animal, number }) => total + (animal === "fish" && highest ? highest : number), 0);
  const counts = new Map();
  for (const { animal } of others) counts.set(animal, (counts.get(animal) ?? bears) + 1);
  if (!others.length) return { bears, sum, count: bears, sports: [named ?? BEAR], sheep: false };
  const count = Math.max(...counts.values());
  const sports = [...counts.keys()].filter((animal) => counts.get(animal) === count).sort();
  return { bears, sum, count, sports, sheep: counts.has("sheep") };
}

/** Return what a set counts: "2 tigers, sum 7, 1 bear among them". */
export function inWords(cards, named = null) {
  const set = measure(cards, named);
  const sports = listed(set.sports.map((animal) => animals(set.count, animal)));
  const many = set.sports.length > 1 ? "counts as both " : "counts as ";
  const bears = set.bears && set.sports[0] !== BEAR ? `, ${animals(set.bears, BEAR)} among them` : "";
  return `${set.sports.length > 2 ? "counts as " : many}${sports}${bears}, sum ${set.sum}`;
}

/** Return the ways to beat a set, joined: "at least 1 bear, voles with a sum of at least 7, or at least 3 of another animal". */
export function waysToBeat(cards, named = null) {
  const set = measure(cards, named);
  const step = set.sheep ? 0 : 1;
  const ways = [];
  if (set.bears + step <= 5) ways.push(`at least ${animals(Math.max(1, set.bears + step), BEAR)}`);
  ways.push(`${listed(set.sports.map(plural), "or")} with a sum of at least ${set.sum + step}`);
  if (set.count + step <= 5) ways.push(`at least ${set.count + step} of another animal`);
  return ways.length === 1 ? ways[0] : `${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}`;
}

/** Return why ``cards`` beat ``table``, in words, or null if no comparison holds. */
export function whyItBeats(cards, named, table, tableNamed) {
  const mine = measure(cards, named);
  const theirs = measure(table, tableNamed);
  const ties = mine.sheep || theirs.sheep;
  const better = (a, b) => a > b || (ties && a === b && a > 0);
  const sign = (a, b) => (a > b ? "against" : "ties, with a sheep,");
  if (better(mine.bears, theirs.bears)) return `More bears: ${mine.bears} ${sign(mine.bears, theirs.bears)} ${theirs.bears}.`;
  const shared = mine.sports.filter((animal) => theirs.sports.includes(animal));
  if (shared.length) {
    return better(mine.sum, theirs.sum) ? `Same sport (${listed(shared)}): sum ${mine.sum} ${sign(mine.sum, theirs.sum)} ${theirs.sum}.` : null;
  }
  return better(mine.count, theirs.count) ? `Another sport: ${animals(mine.count, mine.sports[0])} ${sign(mine.count, theirs.count)} ${animals(theirs.count, theirs.sports[0])}.` : null;
}
