// How the game ended, with points.
import { counted, h, listed } from "../elements.js";
import { waysOn } from "../result.js";

function title(state, places, points) {
  if (state.status === "void") return ["This game was declared void", "It counts for nothing, as if it had never been played."];
  if (state.status === "cancelled") return ["This game was cancelled", "No cards were dealt."];
  if (places.length === 1) return [`${state.seat === 0 ? "You score" : `${state.seats[0].name} scores`} ${counted(points[0], "point")}`, state.view.out.length ? "The game was ended early." : ""];
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const names = listed(first.map((seat) => (seat === state.seat ? "you" : state.seats[seat].name)));
  if (first.length > 1) return [`${names[0].toUpperCase()}${names.slice(1)} share the first place`, ""];
  return [first[0] === state.seat ? "You win!" : `${names} wins`, ""];
}

/** Return the banner; ``links`` as in waysOn. */
export function resultView(state, links) {
  const places = state.view?.outcome?.places ?? [];
  const points = state.view?.outcome?.points ?? [];
  const [heading, text] = title(state, places, points);
  const order = places.map((_, seat) => seat).sort((a, b) => places[a] - places[b]);
  return [
    h("h2", { id: "result-title", tabindex: "-1" }, heading),
    text && h("p", {}, text),
    state.status === "finished" &&
      places.length > 1 &&
      h("ol", { class: "places" }, order.map((seat) => h("li", { value: places[seat] }, h("b", { class: "places__rank" }, String(places[seat])), h("span", { class: "name" }, seat === state.seat ? "You" : state.seats[seat].name), h("b", { class: "pb-total" }, counted(points[seat], "point")), state.view.out.includes(seat) && h("span", { class: "badge badge--bad" }, "out")))),
    waysOn(state, links),
  ];
}
