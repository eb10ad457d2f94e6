// What the check of a round found: whether the stop was right, and for each seat why its stack scored or not.
import { counted, h } from "../elements.js";
import { attributeWords, lyingCard } from "./cards.js";

/** Return the cards that a wrong stop overlooked, as long as they can be told: from the event, or from the grid before go. */
export function overlookedCards(view, events, known) {
  const claim = events.findLast((event) => event.type === "claim");
  if (claim) return claim.fits.map(({ card }) => card);
  if (known) return known;
  return view.phase === "grab" ? null : view.check.fits.map((place) => view.grid[place]);
}

function claimWords(state, overlooked) {
  const { stopper, fits } = state.view.check;
  if (stopper === null) return ["Nobody took a card any more, so the round ended without a stop."];
  const you = stopper === state.seat;
  const said = `${you ? "You" : state.seats[stopper].name} said stop, and ${you ? "were" : "was"} `;
  if (!fits.length) return [said, h("b", { class: "pb-good" }, "right"), ": nothing in the grid fitted."];
  const cards = overlooked ? h("span", { class: "pb-cards" }, overlooked.map((card) => lyingCard(card))) : "";
  return [said, h("b", { class: "pb-bad" }, "wrong"), `: ${counted(fits.length, "card")} still fitted. `, cards];
}

function reasonWords(state, score) {
  const { cards, reason, pair, attributes, extra } = score;
  const you = score.seat === state.seat;
  if (reason === "sound") {
    const sound = cards.length === 1 ? "The start card alone" : `A sound stack of ${cards.length} cards`;
    return extra ? [`${sound}, and one more for the right stop: `, lyingCard(extra)] : [`${sound}.`];
  }
  if (reason === "wrong-stop") return [`The stop was wrong: ${counted(cards.length, "card")} lost.`];
  const where = `Cards ${pair + 1} and ${pair + 2} `;
  if (reason === "identical") return [`${where}are identical, which ${you ? "you were" : "this seat was"} not allowed this round.`];
  return [`${where}differ in ${counted(attributes.length, "attribute")}: ${attributeWords(attributes)}.`];
}

function stackView({ cards, pair }) {
  return h(
    "span",
    { class: "pb-cards" },
    cards.map((card, index) => lyingCard(card, pair !== null && (index === pair || index === pair + 1) ? "is-faulty" : "")),
  );
}

function scoreView(state, score) {
  const you = score.seat === state.seat;
  return h(
    "li",
    { class: `pb-score ${you ? "is-me" : ""}`, id: `score-${score.seat}` },
    h("span", { class: "pb-score__head" }, h("b", { class: "name" }, you ? "You" : state.seats[score.seat].name), h("b", { class: score.score ? "pb-good" : "pb-bad" }, score.score ? `✓ +${score.score}` : "✕ 0"), h("span", { class: "muted" }, `${counted(state.view.points[score.seat], "point")} in all`)),
    stackView(score),
    h("span", { class: "pb-score__why" }, reasonWords(state, score)),
  );
}

/** Return the parts of the report; one's own stack comes first. */
export function checkView(state, overlooked) {
  const { round, scores } = state.view.check;
  const ordered = [...scores].sort((a, b) => (b.seat === state.seat) - (a.seat === state.seat));
  return [
    h("h2", { class: "card__title" }, `Check of round ${round}`),
    h("p", { id: "claim" }, claimWords(state, overlooked)),
    h("ul", { class: "pb-scores" }, ordered.map((score) => scoreView(state, score))),
  ];
}

/** Return in one line what one's own stack scored in the last round, or "" for who had none. */
export function ownScoreWords(state) {
  const mine = state.view.check?.scores.find(({ seat }) => seat === state.seat);
  if (!mine) return "";
  const why = { sound: mine.extra ? "a sound stack and a right stop" : "a sound stack", unsound: "two cards differ too much", identical: "two identical cards", "wrong-stop": "the stop was wrong" };
  return `Round ${state.view.check.round}: ${mine.score ? `+${mine.score}` : "nothing"}, ${why[mine.reason]}.`;
}

/** Return what the check means for the one who listens, in one or two sentences. */
export function checkSpoken(state) {
  const { stopper, fits, scores, round } = state.view.check;
  const who = stopper === null ? "no stop" : `${stopper === state.seat ? "your" : `${state.seats[stopper].name}’s`} stop was ${fits.length ? "wrong" : "right"}`;
  const mine = scores.find(({ seat }) => seat === state.seat);
  return `Round ${round} is over: ${who}.${mine ? ` You score ${mine.score}, ${state.view.points[state.seat]} in all.` : ""}`;
}
