// Cards as people see them: a shape and a colour an animal, the number large in two corners.
import { h } from "./elements.js";

const MANY = { fish: "fish", sheep: "sheep", walrus: "walruses", ferret: "ferrets", bison: "bison", squid: "squid" };
export const BEAR = "bear";
let sprite = "";

/** Say where the drawings lie; the server knows the address with its content hash. */
export function drawFrom(address) {
  sprite = address;
}

/** Return the animal and number of a card such as "tiger-3". */
export function parse(card) {
  const dash = card.lastIndexOf("-");
  return { animal: card.slice(0, dash), number: Number(card.slice(dash + 1)) };
}

/** Return "tigers". */
export function plural(animal) {
  return MANY[animal] ?? `${animal}s`;
}

/** Return "1 tiger", "2 tigers". */
export function animals(count, animal) {
  return `${count} ${count === 1 ? animal : plural(animal)}`;
}

/** Return "tiger 3". */
export function spoken(card) {
  const { animal, number } = parse(card);
  return `${animal} ${number}`;
}

export function drawing(animal) {
  return h("svg", { "aria-hidden": "true", focusable: "false", viewBox: "0 0 64 64" }, h("use", { href: `${sprite}#${animal}` }));
}

function face(card) {
  const { animal, number } = parse(card);
  return [
    h("span", { class: "pcard__number", "aria-hidden": "true" }, String(number)),
    drawing(animal),
    h("span", { class: "pcard__name", "aria-hidden": "true" }, animal),
    h("span", { class: "pcard__number pcard__number--low", "aria-hidden": "true" }, String(number)),
  ];
}

/** A card that only lies there. */
export function lyingCard(card, id) {
  return h("span", { class: `pcard pcard--${parse(card).animal}`, id, role: "img", "aria-label": spoken(card) }, face(card));
}

/** A card of one's own hand, to be chosen. */
export function handCard({ key, card }, { selected, focusable, blocked, isNew, effect }) {
  const name = spoken(card) + (blocked ? ", blocked by a bear of the same number" : "");
  return h(
    "button",
    {
      type: "button",
      class: `pcard pcard--${parse(card).animal}${blocked ? " is-blocked" : ""}${isNew ? " is-new" : ""}`,
      id: `hand-${key}`,
      "data-do": "choose",
      "data-key": key,
      "aria-pressed": selected ? "true" : "false",
      "aria-label": name,
      title: [blocked && "You hold a bear with this number, so this card cannot be played.", effect].filter(Boolean).join(" ") || null,
      tabindex: focusable ? "0" : "-1",
    },
    face(card),
  );
}

/** A card as a word with its picture, in running text and lists. */
export function chip(card) {
  const { animal, number } = parse(card);
  return h("span", { class: `chip chip--${animal}` }, drawing(animal), `${animal} ${number}`);
}

/** A chip whose word steps back where there is little room. */
export function shortChip(card) {
  const { animal, number } = parse(card);
  return h("span", { class: `chip chip--${animal}` }, drawing(animal), h("span", { class: "chip__word" }, `${animal} `), String(number));
}

/** Return ``text`` with every card named in it shown as a chip. */
export function withChips(text) {
  return text.split(/\b([a-z]+-[1-5])\b/).map((part, index) => (index % 2 ? chip(part) : part));
}
