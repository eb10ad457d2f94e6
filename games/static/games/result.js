// How the game ended.
import { h, listed } from "./elements.js";

function title(state, places) {
  if (state.status === "void") return ["This game was declared void", "It counts for nothing, as if it had never been played."];
  if (state.status === "cancelled") return ["This game was cancelled", "No cards were dealt."];
  if (state.status === "drawn") return ["A draw", "Everybody had a turn and nobody could beat the table set."];
  const winner = places.indexOf(1);
  if (winner === state.seat) return ["You win!", "Nobody beat your set, and you hold no bear."];
  return [`${state.seats[winner].name} wins`, ""];
}

function reason(state, places, text) {
  const out = state.view?.out ?? [];
  const stillIn = state.seats.length - out.length;
  if (state.status === "finished" && stillIn === 1 && places.length > 1) return "Everybody else is out.";
  return text;
}

/** Return where to go after the game; ``links`` holds addresses: next, back, transcript, verify. */
export function waysOn(state, links) {
  const next = links.next || links.back;
  return h(
    "div",
    { class: "act__buttons" },
    next && h("a", { class: "btn btn--primary", href: next }, "Go on"),
    state.status !== "cancelled" && h("a", { class: "btn", href: links.verify }, "Verify this game"),
    state.status !== "cancelled" && h("a", { class: "btn", href: links.transcript, download: true }, "Download the transcript"),
  );
}

/** Return the banner; ``links`` as in waysOn. */
export function resultView(state, links) {
  const places = state.view?.outcome?.places ?? [];
  const [heading, text] = title(state, places);
  const ranks = [...new Set(places)].sort((a, b) => a - b);
  const counts = state.status === "finished" || state.status === "drawn";
  return [
    h("h2", { id: "result-title", tabindex: "-1" }, heading),
    reason(state, places, text) && h("p", {}, reason(state, places, text)),
    counts && h("ol", { class: "places" }, ranks.map((rank) => h("li", { value: rank }, h("b", { class: "places__rank" }, String(rank)), h("span", {}, listed(places.flatMap((place, seat) => (place === rank ? [state.seats[seat].name] : []))))))),
    waysOn(state, links),
  ];
}
