// What the table says while clocks stand, a player is away, or the house plays for one.
import { clockText } from "./clock.js";
import { listed } from "./elements.js";

/** Return the milliseconds until every clock goes on (Infinity: until somebody says so), or 0 if none stands. */
export function standsFor(state, now) {
  const stands = state.status === "running" ? state.clock?.stands : null;
  if (!stands) return 0;
  return stands.in === null ? Infinity : Math.max(0, stands.in - (now - state.receivedAt));
}

/** Return whether nobody may act now. */
export function isPaused(state, now = performance.now()) {
  return standsFor(state, now) > 0 && state.clock.stands.kind !== "outage";
}

const nameIn = (state, seat) => state.seats[seat]?.name ?? `Seat ${seat + 1}`;

function stopWords(state, left) {
  const { kind, who, reason } = state.clock.stands;
  if (kind === "outage") return `The server was away; that costs nobody time. Clocks go on in ${clockText(left)}.`;
  if (kind === "resume") return `The game goes on in ${clockText(left)}.`;
  const why = reason ? `: ${reason}${/[.!?…]$/.test(reason) ? "" : "."}` : ".";
  if (left === Infinity) return `Paused by ${who}${why} Every clock stands.`;
  const end = left < 600_000 ? `in ${clockText(left)}` : `on ${new Date(Date.now() + left).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
  return `Adjourned by ${who}${why} It goes on ${end}.`;
}

const THEN = { turn: "the house plays this turn", house: "the house plays until they are back", forfeit: "they are out" };

function awayWords(state, passed) {
  const { absence, away, running, spare, house } = state.clock;
  const words = [];
  if (house.length) words.push(`${listed(house.map((seat) => nameIn(state, seat)))} ${house.length > 1 ? "are" : "is"} away; the house plays until they are back.`);
  if (absence) words.push(`${nameIn(state, absence.seat)} is away. In ${clockText(Math.max(0, absence.in - passed))} ${THEN[absence.then]}.`);
  else {
    const gone = running.find((seat) => away.includes(seat) && spare[seat] > passed);
    if (gone !== undefined) words.push(`${nameIn(state, gone)} is away. For ${clockText(spare[gone] - passed)} more that costs no time.`);
  }
  return words.join(" ");
}

/** Return what to say above the table now, or "". */
export function standsWords(state, now = performance.now()) {
  if (state.status !== "running") return "";
  const left = standsFor(state, now);
  if (left > 0) return stopWords(state, left);
  return state.clock?.away ? awayWords(state, now - state.receivedAt) : "";
}
