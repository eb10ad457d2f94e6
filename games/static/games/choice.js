// What the player has chosen so far, and the actions that come of it.
import { BEAR, parse } from "./cards.js";
import { doOf } from "./effects.js";
import { handEntries, isMyTurn } from "./state.js";

export function newChoice() {
  return { selected: new Set(), named: null, effects: {}, gifts: null, steal: {}, verdict: null, asked: null, sort: "animal", focus: null, showPlays: false };
}

const byAnimal = (a, b) => {
  const [left, right] = [parse(a.card), parse(b.card)];
  const bears = (left.animal === BEAR) - (right.animal === BEAR);
  return bears || left.animal.localeCompare(right.animal) || left.number - right.number;
};
const byNumber = (a, b) => parse(a.card).number - parse(b.card).number || byAnimal(a, b);

/** Return the own hand's entries in the order in which they are shown. */
export function sortedHand(state, choice) {
  return handEntries(state.view?.hand ?? []).sort(choice.sort === "number" ? byNumber : byAnimal);
}

/** Return the chosen cards in the order shown. */
export function chosenEntries(state, choice) {
  return sortedHand(state, choice).filter(({ key }) => choice.selected.has(key));
}

/** Drop what a new state has made impossible; called after every message that shows the game. */
export function settle(state, choice, moved) {
  const held = new Set(handEntries(state.view?.hand ?? []).map(({ key }) => key));
  for (const key of choice.selected) if (!held.has(key)) choice.selected.delete(key);
  if (!held.has(choice.focus)) choice.focus = null;
  if (!moved) return;
  choice.gifts = null;
  choice.verdict = null;
  choice.asked = null;
  choice.steal = {};
  choice.showPlays = false;
  const steal = isMyTurn(state) ? state.options.steal : null;
  // One victim, or no more cards around than are to be taken: there is only one way, so it is filled in.
  if (steal) {
    const victims = Object.entries(steal.from);
    const around = victims.reduce((sum, [, held]) => sum + held, 0);
    for (const [seat, count] of victims) choice.steal[seat] = victims.length === 1 ? steal.take : around === steal.take ? count : 0;
  }
}

export const onlyBears = (cards) => cards.length > 0 && cards.every((card) => parse(card).animal === BEAR);

export function playAction(state, choice) {
  const cards = chosenEntries(state, choice).map(({ card }) => card);
  const action = { type: "play", cards };
  if (onlyBears(cards) && choice.named) action.as = choice.named;
  const choices = doOf(state, choice, cards);
  if (choices) action.do = choices;
  return action;
}

/** Return the gifts as an action, or null while a receiver is missing. */
export function giveAction(state, choice) {
  const gifts = chosenEntries(state, choice).map(({ key, card }) => ({ card, to: choice.gifts?.[key] }));
  return gifts.length && gifts.every(({ to }) => to !== undefined) ? { type: "give", gifts } : null;
}

export const stealTotal = (choice) => Object.values(choice.steal).reduce((sum, count) => sum + count, 0);

export function stealAction(choice) {
  const from = Object.entries(choice.steal).flatMap(([seat, count]) => Array(count).fill(Number(seat)));
  return { type: "steal", from: from.sort((a, b) => a - b) };
}

export function forceBearAction(state, choice) {
  const [chosen] = chosenEntries(state, choice);
  if (!chosen) return null;
  return { type: "force-bear", card: chosen.card, ...(choice.named ? { as: choice.named } : {}) };
}
