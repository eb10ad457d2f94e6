// The middle of the table: the table set, whose it is, what it counts, and how to beat it.
import { lyingCard } from "./cards.js";
import { h, listed } from "./elements.js";
import { inWords, waysToBeat } from "./sets.js";
import { actingSeats, isOver, nameOf } from "./state.js";

export function ownerWords(state) {
  const owner = state.view.owner;
  if (owner === null) return "Nobody’s set";
  return owner === state.seat ? "Your set" : `${state.seats[owner].name}’s set`;
}

export function middleView(state, setSince) {
  const { table, table_as: named, must_play: mustPlay, owner } = state.view;
  const mine = owner !== null && owner === state.seat;
  const words = inWords(table, named);
  return [
    h("p", { class: "middle__owner" }, h("span", {}, ownerWords(state)), mustPlay && !isOver(state) && h("span", { class: "badge badge--honey", title: "Whoever has a valid move must play it." }, "must play")),
    h("div", { class: "middle__cards", role: "group", "aria-label": `Table set: ${words}` }, table.map((card, index) => lyingCard(card, `set-${setSince}-${index}`))),
    h("p", { class: "middle__words" }, h("b", {}, `${words[0].toUpperCase()}${words.slice(1)}.`), named && ` Bears alone, named ${named}.`),
    !isOver(state) && h("p", { class: "middle__beat" }, mine ? "If it still lies here when your turn comes round and you hold no bear, you win. " : "", `${mine ? "Others beat" : "Beat"} it with ${waysToBeat(table, named)}.`),
  ];
}

/** Return who acts, in words for the status line. */
export function actingWords(state) {
  const others = actingSeats(state).filter((seat) => seat !== state.seat).map((seat) => nameOf(state, seat));
  return others.length ? `Waiting for ${listed(others)}` : "";
}
