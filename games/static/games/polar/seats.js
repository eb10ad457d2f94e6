// The others at the table: top card, how high the stack is, points.
import { counted, h, showIfNew } from "../elements.js";
import { badgesOf } from "../badges.js";
import { othersClockwise } from "../state.js";
import { faceDown, lyingCard } from "./cards.js";

function topCard(stack) {
  if (!stack.length) return h("span", { class: "pb-lying pb-none" });
  const top = stack.at(-1);
  return top === null ? faceDown("start card, face down") : lyingCard(top);
}

function seatParts(state, seat) {
  const stack = state.view.stacks[seat];
  return [
    topCard(stack),
    h("span", { class: "pb-seat__name", title: state.seats[seat].name }, state.seats[seat].name),
    h(
      "span",
      { class: "pb-seat__line" },
      h("span", { title: `${counted(stack.length, "card")} in the stack` }, h("b", { class: "pb-seat__height" }, String(stack.length)), h("span", { class: "visually-hidden" }, stack.length === 1 ? " card" : " cards")),
      h("span", { class: "pb-seat__points", title: "Points" }, "★", String(state.view.points[seat]), h("span", { class: "visually-hidden" }, " points")),
    ),
    h("span", { class: "pb-seat__badges" }, badgesOf(state, seat)),
  ];
}

/** Show everybody but the one who looks; only seats that changed are drawn again. */
export function showSeats(container, state) {
  const seats = othersClockwise(state);
  showIfNew(container, [state.game_id, seats], () => seats.map((seat) => h("li", { class: "pb-seat", id: `seat-${seat}` })));
  for (const [index, seat] of seats.entries()) {
    const { stacks, points, out } = state.view;
    const badges = badgesOf(state, seat).map((badge) => badge.textContent);
    container.children[index].classList.toggle("is-out", out.includes(seat));
    showIfNew(container.children[index], [stacks[seat].length, stacks[seat].at(-1) ?? null, points[seat], badges, state.seats[seat].name], () => seatParts(state, seat));
  }
}
