// A bonus question: how many cards of the grid show both elements?
import { h, listed } from "../elements.js";
import { elementWords } from "./cards.js";

const SHOWN_AT_FIRST = 15;
const TYPING_MS = 1200;

export const questionWords = (card) => `How many cards show both ${listed(elementWords(card))}?`;

/** Return the parts for a seat: the question with a button a number, or what became of its answer. ``sent``: the count on its way. */
export function questionView(state, sent, showAll) {
  const { question, answer: answered, seat } = state.view;
  const head = [h("p", { class: "pb-question" }, h("b", {}, questionWords(question)), h("span", { class: "pb-time", "data-time": "question" }))];
  const answer = state.options?.answer;
  if (state.view.answered.includes(seat)) return [...head, h("p", { class: "pb-bad" }, `Your ${answered} was wrong: 2 points lost. The others may still answer.`)];
  if (!answer) return [...head, h("p", { class: "muted" }, "Waiting for the others.")];
  const last = showAll ? answer.most : Math.min(answer.most, SHOWN_AT_FIRST);
  const number = (count) => h("button", { type: "button", class: "pb-number", "data-do": "answer", "data-count": count, id: `answer-${count}`, disabled: sent !== null, "aria-pressed": sent === count ? "true" : "false" }, String(count));
  return [
    ...head,
    h("div", { class: "pb-numbers", role: "group", "aria-label": "Your answer" }, Array.from({ length: last + 1 }, (_, count) => number(count)), last < answer.most && h("button", { type: "button", class: "pb-number", "data-do": "more-numbers", "aria-label": "More numbers" }, "…")),
    h("p", { class: "small muted" }, sent === null ? "Right and first: 2 points. Wrong: 2 points lost. One answer each." : "Sent …"),
  ];
}

let typed = "";
let typedAt = 0;

/** Move the focus to the number that is being typed, digit by digit; Enter then answers. */
export function typeNumber(key, now) {
  typed = now - typedAt < TYPING_MS ? typed + key : key;
  typedAt = now;
  const button = document.getElementById(`answer-${Number(typed)}`);
  button?.focus();
  return button !== null;
}
