// What everybody knows of a hand: cards that came openly, what a giraffe counted, what a kangaroo asked for in vain.
import { animals, parse, plural, shortChip } from "./cards.js";
import { h, listed } from "./elements.js";

const PACK = 8; // cards that an animal brings

function countWords(animal, [low, high], held) {
  const most = Math.min(PACK, held);
  if (low === high) return low ? animals(low, animal) : `no ${plural(animal)}`;
  if (low === 0) return high < most ? `at most ${animals(high, animal)}` : null;
  return high < most ? `${low} to ${high} ${plural(animal)}` : `at least ${animals(low, animal)}`;
}

/** Return what everybody was told of a hand: ["2 to 4 tigers", "not vole 3 or 4"]. */
export function toldWords(view, seat) {
  const held = view.counts[seat];
  if (!held) return [];
  const counts = Object.entries(view.counted).map(([animal, bounds]) => countWords(animal, bounds[seat], held));
  const denied = new Map();
  for (const { animal, number } of view.denied[seat].map(parse)) {
    if (view.counted[animal]?.[seat][1] !== 0) denied.set(animal, [...(denied.get(animal) ?? []), number]);
  }
  return [...counts.filter(Boolean), ...[...denied].map(([animal, numbers]) => `not ${animal} ${listed(numbers, "or")}`)];
}

/** Return the parts of a seat that show it. */
export function memoryView(view, seat) {
  const known = view.known[seat];
  const told = toldWords(view, seat);
  return [
    known.length > 0 && h("span", { class: "seat__known" }, h("span", { class: "visually-hidden" }, "known to hold "), known.map((card) => [shortChip(card), " "])),
    told.length > 0 && h("span", { class: "seat__told" }, h("span", { class: "visually-hidden" }, "known of this hand: "), told.map((words, index) => h("span", {}, index < told.length - 1 ? `${words}, ` : words))),
  ];
}
