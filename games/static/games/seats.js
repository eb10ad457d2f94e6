// The others around the table.
import { clockText, timeLeft } from "./clock.js";
import { h } from "./elements.js";
import { memoryView } from "./memory.js";
import { actingSeats, isOver, othersClockwise } from "./state.js";

const ORDINAL = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

export function badgesOf(state, seat) {
  const badges = [];
  const view = state.view;
  if (state.seats[seat].bot) badges.push(h("span", { class: "badge badge--bot" }, "bot"));
  if (view.out.includes(seat)) badges.push(h("span", { class: "badge badge--bad" }, "out"));
  else if (!isOver(state) && state.present && !state.present[seat] && !state.seats[seat].bot) badges.push(h("span", { class: "badge badge--muted", title: "No page of this player is open now." }, "away"));
  if (!isOver(state) && view.must_give.includes(seat)) badges.push(h("span", { class: "badge badge--honey", title: "A beaver: this player must give cards away the next time they act." }, "must give"));
  if ((state.status === "finished" || state.status === "drawn") && view.outcome?.places) badges.push(h("span", { class: `badge ${view.outcome.places[seat] === 1 ? "badge--honey" : "badge--muted"}` }, ORDINAL[view.outcome.places[seat] - 1]));
  return badges;
}

export const isActing = (state, seat) => actingSeats(state).includes(seat);

function held(count) {
  const backs = Array.from({ length: Math.min(count, 5) }, () => h("i", { class: "back" }));
  return h("span", { class: "seat__held", title: `${count} cards in hand` }, h("span", { class: "backs", "aria-hidden": "true" }, backs), h("b", {}, String(count)), h("span", { class: "visually-hidden" }, count === 1 ? "card" : "cards"));
}

function seatView(state, seat) {
  const view = state.view;
  const acting = isActing(state, seat);
  const classes = ["seat", acting && "is-acting", view.out.includes(seat) && "is-out", view.owner === seat && "is-owner"].filter(Boolean).join(" ");
  return h(
    "li",
    { class: classes, id: `seat-${seat}` },
    h("span", { class: "seat__name", title: state.seats[seat].name }, state.seats[seat].name),
    h("span", { class: "seat__line" }, held(view.counts[seat]), !state.seats[seat].bot && h("span", { class: "clock", "data-clock": seat, title: "Time left" }, clockText(timeLeft(state, seat, performance.now())))),
    h("span", { class: "seat__badges" }, acting && h("span", { class: "badge badge--honey" }, "to act"), badgesOf(state, seat)),
    memoryView(view, seat),
  );
}

/** Return the list items of everybody but the one who looks, clockwise from the left. */
export function othersView(state) {
  return othersClockwise(state).map((seat) => seatView(state, seat));
}
