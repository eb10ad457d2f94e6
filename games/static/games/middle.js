// The middle of the table: the table set, whose it is, what it counts, and how to beat it.
import { lyingCard, parse } from "./cards.js";
import { h, listed } from "./elements.js";
import { inWords, waysToBeat } from "./sets.js";
import { actingSeats, isOver, nameOf } from "./state.js";

export function ownerWords(state) {
  const owner = state.view.owner;
  if (owner === null) return "Nobody’s set";
  return owner === state.seat ? "Your set" : `${state.seats[owner].name}’s set`;
}

export function middleView(state, setSince) {
  const { animals, table, table_as: named, must_play: mustPlay, owner } = state.view;
  const mine = owner !== null && owner === state.seat;
  const words = inWords(table, named);
  const lies = (animal) => table.some((card) => parse(card).animal === animal);
  const tie = animals.includes("sheep") && !lies("sheep") ? " With a sheep a tie is enough." : "";
  return [
    h("p", { class: "middle__owner" }, h("span", {}, ownerWords(state)), mustPlay && !isOver(state) && h("span", { class: "badge badge--honey", title: `${lies("rabbit") ? "A rabbit lies here: w" : "W"}hoever has a valid move must play it.` }, "must play")),
    h("div", { class: "middle__cards", role: "group", "aria-label": `Table set: ${words}` }, table.map((card, index) => lyingCard(card, `set-${setSince}-${index}`))),
    h("p", { class: "middle__words" }, h("b", {}, `${words[0].toUpperCase()}${words.slice(1)}.`), named && ` Bears alone, named ${named}.`),
    !isOver(state) && h("p", { class: "middle__beat" }, mine ? "If it still lies here when your turn comes round and you hold no bear, you win. " : "", `${mine ? "Others beat" : "Beat"} it with ${waysToBeat(table, named)}.${tie}`),
  ];
}

/** Return who acts, in words for the status line. */
export function actingWords(state) {
  const others = actingSeats(state).filter((seat) => seat !== state.seat).map((seat) => nameOf(state, seat));
  const due = state.view.waiting;
  if (due && due.seat !== state.seat) return `Waiting for ${nameOf(state, due.seat)} to choose the ${due.for === "bison" ? "bear" : "card"} that ${nameOf(state, due.to)} ${due.to === state.seat ? "get" : "gets"} for the ${due.for}`;
  return others.length ? `Waiting for ${listed(others)}` : "";
}
