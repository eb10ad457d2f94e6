// The animals with an effect: what each does, in words, and what its player chooses when playing it.
import { BEAR, chip, drawing, parse, plural } from "./cards.js";
import { h } from "./elements.js";

const NUMBERS = [1, 2, 3, 4, 5];
let effects = new Map();

/** Take over the words of the page: a list of {animal, when, text}. */
export function effectsFrom(list) {
  effects = new Map(list.map((effect) => [effect.animal, effect]));
}

/** Return what an animal does: "When played: take one card …", or null for an animal without an effect. */
export function effectWords(animal) {
  const effect = effects.get(animal);
  return effect ? `${effect.when === "always" ? "Always" : `When ${effect.when}`}: ${effect.text}` : null;
}

/** Return the animals of a set for which its player chooses something. */
function needsOf(cards) {
  const lying = new Set(cards.map((card) => parse(card).animal));
  return ["aardvark", "giraffe", "kangaroo"].filter((animal) => lying.has(animal) && (animal !== "aardvark" || cards.length > 1));
}

const askable = (state) => state.seats.map((_, seat) => seat).filter((seat) => seat !== state.seat && !state.view.out.includes(seat));
const onlyOne = (options) => (options.length === 1 ? options[0] : null);

/** Return what is chosen for each animal, field by field; null is still open. What leaves no choice is filled in. */
function fieldsOf(state, choice, cards) {
  const { aardvark = {}, giraffe = {}, kangaroo = {} } = choice.effects;
  const seats = askable(state);
  const lying = [...new Set(cards)];
  const all = {
    aardvark: { card: lying.includes(aardvark.card) ? aardvark.card : onlyOne(lying) },
    giraffe: { animal: giraffe.animal || null },
    kangaroo: { seat: seats.includes(kangaroo.seat) ? kangaroo.seat : onlyOne(seats), animal: kangaroo.animal || null, number: kangaroo.number ?? null },
  };
  return Object.fromEntries(needsOf(cards).map((animal) => [animal, all[animal]]));
}

/** Return the animals of a set whose choice is still open. */
export function openChoices(state, choice, cards) {
  return Object.entries(fieldsOf(state, choice, cards)).filter(([, fields]) => Object.values(fields).includes(null)).map(([animal]) => animal);
}

/**
 * Return the choices as a play carries them ("do"), or null if it has none. Whether the cards may be played does not
 * hang on them, so an open one is filled with any that the rules allow: the server is then asked about the cards alone.
 */
export function doOf(state, choice, cards) {
  const fields = fieldsOf(state, choice, cards);
  const made = {
    aardvark: ({ card }) => ({ card: card ?? cards[0] }),
    giraffe: ({ animal }) => ({ animal: animal ?? BEAR }),
    kangaroo: ({ seat, animal, number }) => ({ seat: seat ?? askable(state)[0], card: `${animal ?? BEAR}-${number ?? NUMBERS[0]}` }),
  };
  const entries = Object.entries(fields).map(([animal, chosen]) => [animal, made[animal](chosen)]);
  return entries.length ? Object.fromEntries(entries) : null;
}

function pills(animal, field, prompt, chosen, options) {
  const pill = ([value, label, name]) =>
    h("button", { type: "button", class: "pick", "data-do": "effect", "data-animal": animal, "data-field": field, "data-value": value, id: `effect-${animal}-${field}-${value}`, "aria-label": name, "aria-pressed": value === chosen ? "true" : "false" }, label);
  return h("div", { class: "effects__row", role: "group", "aria-label": prompt, id: `effect-${animal}-${field}`, "data-open": chosen === null }, h("span", { "aria-hidden": "true" }, prompt), options.map(pill));
}

function animalSelect(animal, prompt, chosen, deck, word) {
  const id = `effect-${animal}-animal`;
  return h(
    "div",
    { class: "effects__row", id: `${id}-row`, "data-open": chosen === null },
    h("label", { for: id }, prompt),
    h("select", { class: "input effects__select", id, "data-change": "effect", "data-animal": animal, "data-field": "animal" }, h("option", { value: "", selected: chosen === null }, "choose an animal"), deck.map((each) => h("option", { value: each, selected: each === chosen }, word(each)))),
  );
}

const PICKERS = {
  aardvark: (state, cards, { card }) => [pills("aardvark", "card", "Take back", card, [...new Set(cards)].map((each) => [each, chip(each)]))],
  giraffe: (state, cards, { animal }) => [animalSelect("giraffe", "Count", animal, state.view.animals, plural)],
  kangaroo: (state, cards, { seat, animal, number }) => [
    pills("kangaroo", "seat", "Ask", seat, askable(state).map((each) => [each, state.seats[each].name])),
    animalSelect("kangaroo", "Animal", animal, state.view.animals, (each) => each),
    pills("kangaroo", "number", "Number", number, NUMBERS.map((each) => [each, String(each)])),
  ],
};

/** Return what the animals among ``cards`` do, with a picker for each choice if they can be played. */
export function effectsView(state, choice, cards, { played, given }) {
  const shown = [...new Set(cards.map((card) => parse(card).animal))].filter((animal) => {
    const when = effects.get(animal)?.when;
    return when === "given" ? given : when && played;
  });
  if (!shown.length) return null;
  const fields = played ? fieldsOf(state, choice, cards) : {};
  return h(
    "ul",
    { class: "effects", id: "effects", "aria-label": "What these animals do" },
    shown.map((animal) => h("li", { class: "effects__one", id: `effect-${animal}` }, h("p", {}, h("span", { class: "effects__animal" }, drawing(animal), `${animal[0].toUpperCase()}${animal.slice(1)}`), " ", effectWords(animal)), fields[animal] && PICKERS[animal](state, cards, fields[animal]))),
  );
}

/** Move the focus to the first choice that is still open. */
export function focusOpenChoice() {
  document.querySelector("#effects [data-open] :is(button, select)")?.focus();
}
