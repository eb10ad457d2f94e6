// Beside the table: what happened, the cards that left the game, and what makes the deal checkable.
import { chip, withChips } from "./cards.js";
import { h } from "./elements.js";

/** Return the log's lines, the newest first. */
export function logView(state) {
  if (!state.log.length) return [h("li", { class: "muted", id: "log-none" }, "Nothing yet.")];
  return state.log
    .map((line, index) => h("li", { id: `log-${index}`, value: line.n }, h("span", { class: "log__n", title: `Record ${line.n}` }, String(line.n)), h("span", {}, withChips(line.text))))
    .reverse();
}

export function goneView(state) {
  const gone = state.view?.gone ?? [];
  return gone.length ? [h("p", { class: "gone" }, gone.map(chip))] : [h("p", { class: "muted small" }, "None yet.")];
}

export function chainView(state) {
  return [h("span", {}, state.n ? `Record ${state.n}: ` : "No record yet. "), state.hash && h("span", { class: "mono" }, state.hash)];
}
