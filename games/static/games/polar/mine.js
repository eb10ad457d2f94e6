// One's own place: the top card, large; the stack below it; stop, the countdown or a bonus question.
import { counted, h } from "../elements.js";
import { faceDown, lyingCard, spoken } from "./cards.js";

const BELOW_SHOWN = 7;

/** Return the top card, or its back with the countdown on it. */
export function topView(stack) {
  if (!stack.length) return [h("span", { class: "pb-lying pb-none" })];
  const top = stack.at(-1);
  if (top === null) return [faceDown("Your start card, face down until go", h("b", { class: "pb-count", "data-time": "go" }))];
  return [lyingCard(top)];
}

export function stackWords(stack) {
  if (!stack.length) return "No cards";
  if (stack.at(-1) === null) return "Your start card";
  return stack.length === 1 ? "Your start card" : `${counted(stack.length, "card")} in your stack`;
}

/** Return what lies right below the top card, the newest first. */
export function belowView(stack) {
  const below = stack.slice(0, -1).slice(-BELOW_SHOWN).reverse();
  return below.map((card) => lyingCard(card));
}

export function topSpoken(stack) {
  const top = stack.at(-1);
  return top ? `Your card: ${spoken(top)}.` : "";
}
