// The others around the table.
import { badgesOf as seatBadges } from "./badges.js";
import { clockText, timeLeft } from "./clock.js";
import { h } from "./elements.js";
import { memoryView } from "./memory.js";
import { actingSeats, isOver, othersClockwise } from "./state.js";

export function badgesOf(state, seat) {
  const mustGive = !isOver(state) && state.view.must_give.includes(seat);
  return [...seatBadges(state, seat), mustGive && h("span", { class: "badge badge--honey", title: "A beaver: this player must give cards away the next time they act." }, "must give")];
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
