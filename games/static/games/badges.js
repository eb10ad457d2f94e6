// What is said of a seat in any game: bot, out, away, and its place at the end.
import { h } from "./elements.js";
import { isOver } from "./state.js";

const ORDINAL = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

export function badgesOf(state, seat) {
  const badges = [];
  const view = state.view;
  if (state.seats[seat].bot) badges.push(h("span", { class: "badge badge--bot" }, "bot"));
  if (view.out.includes(seat)) badges.push(h("span", { class: "badge badge--bad" }, "out"));
  else if (!isOver(state) && state.present && !state.present[seat] && !state.seats[seat].bot) badges.push(h("span", { class: "badge badge--muted", title: "No page of this player is open now." }, "away"));
  if ((state.status === "finished" || state.status === "drawn") && view.outcome?.places) badges.push(h("span", { class: `badge ${view.outcome.places[seat] === 1 ? "badge--honey" : "badge--muted"}` }, ORDINAL[view.outcome.places[seat] - 1]));
  return badges;
}
