// The cards of Pick-a-Polar-Bear, in words and drawn. A card is written as the engine writes it: "LAW-F".
import { h, listed } from "../elements.js";

const ATTRIBUTES = ["size", "raised arm", "background", "goggles", "fish can", "animal"];
const ENGINE_NAMES = { size: "size", arm: "raised arm", background: "background", goggles: "goggles", fish: "fish can", animal: "animal" };
const CARD = /(?<![\w-])([LS][A-][WO][G-][F-][PS]?)(?![\w-])/;
const SMALL = "translate(14 36) scale(0.6)";
let drawings = "";

/** Say where the drawings lie; the server knows the address with its content hash. */
export function drawFrom(address) {
  drawings = address;
}

/** Return "large bear, arm raised, winter, goggles, fish can"; what a card does not show is not named. */
export function spoken(card) {
  const [size, arm, ground, goggles, fish, animal] = card;
  const words = [`${size === "L" ? "large" : "small"} ${animal === "S" ? "seal" : "bear"}`];
  if (arm === "A") words.push("arm raised");
  words.push(ground === "W" ? "winter" : "autumn");
  if (goggles === "G") words.push("goggles");
  if (fish === "F") words.push("fish can");
  return words.join(", ");
}

/** Return the words for the attributes in which two cards differ. */
export function differing(card, other) {
  return ATTRIBUTES.filter((_, place) => card[place] !== other[place]);
}

/** Return "size and goggles" for the engine's names of attributes. */
export const attributeWords = (names) => listed(names.map((name) => ENGINE_NAMES[name]));

/** Return whether ``card`` may lie on ``top``; ``restricted``: an identical card may not. */
export function fits(card, top, restricted) {
  const count = differing(card, top).length;
  return count === 1 || (count === 0 && !restricted);
}

/** Return the elements of a bonus card in words: "bonus:arm+fish" as ["raised arm", "fish can"]. */
export function elementWords(bonusCard) {
  return bonusCard
    .slice(bonusCard.indexOf(":") + 1)
    .split("+")
    .map((element) => ENGINE_NAMES[element] ?? element);
}

function layers([size, arm, ground, goggles, fish, animal]) {
  const kind = animal === "S" ? "seal" : "bear";
  const transform = size === "S" ? SMALL : null;
  return [
    [ground === "W" ? "winter" : "autumn", null],
    [kind, transform],
    [`${kind}-${arm === "A" ? "up" : "down"}`, transform],
    goggles === "G" && ["goggles", transform],
    fish === "F" && ["fish", null],
  ].filter(Boolean);
}

/** Return the drawing alone, for places that say in words what it shows. */
export function drawing(card) {
  return h(
    "svg",
    { class: "pb-card", viewBox: "0 0 100 120", "aria-hidden": "true", focusable: "false" },
    layers(card).map(([id, transform]) => h("use", { href: `${drawings}#${id}`, transform })),
  );
}

/** Return a card that only lies there, with its words. */
export function lyingCard(card, className = "") {
  return h("span", { class: `pb-lying ${className}`, role: "img", "aria-label": spoken(card), title: spoken(card) }, drawing(card));
}

export function faceDown(words, ...children) {
  return h("span", { class: "pb-lying pb-back", role: "img", "aria-label": words }, ...children);
}

/** Return ``text`` with every card named in it drawn. */
export function withCards(text) {
  return text.split(CARD).map((part, index) => (index % 2 ? lyingCard(part) : part));
}
