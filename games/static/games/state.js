// What the browser knows of the game: the server's last word, never a guess.
import { isPaused } from "./stands.js";

/** Return the state after a ``state`` message; its log continues what was known if the server sent only the rest. */
export function begun(previous, message, receivedAt) {
  const continues = previous && message.log.length && message.log[0].n > 1 && previous.n >= message.log[0].n - 1;
  const nothingNew = previous && !message.log.length && message.n === previous.n;
  const known = continues || nothingNew ? previous.log.filter((line) => !message.log.length || line.n < message.log[0].n) : [];
  return { ...message, log: [...known, ...message.log], receivedAt };
}

/** Return the state after an ``update``, the same state if it is old, or null where records are missing in between. */
export function continued(previous, message, receivedAt) {
  if (!previous || previous.view === null) return null;
  if (message.n <= previous.n) return previous;
  const numbers = [...message.log, ...(message.events ?? [])].map((line) => line.n);
  if (message.n > previous.n + 1 && Math.min(...numbers) !== previous.n + 1) return null;
  const fresh = message.log.filter((line) => line.n > previous.n);
  return { ...previous, ...message, type: "state", log: [...previous.log, ...fresh], receivedAt };
}

export const isOver = (state) => ["finished", "drawn", "void", "cancelled"].includes(state.status);

export function isMyTurn(state) {
  return state.seat !== null && state.status === "running" && !isPaused(state) && Object.keys(state.options ?? {}).length > 0;
}

/** Return the seats whose action the game waits for. */
export function actingSeats(state) {
  if (state.status !== "running") return [];
  const { waiting, turn } = state.view;
  return [...new Set([...(state.clock?.running ?? []), waiting?.seat ?? turn])];
}

/** Return the hand as entries with a key that stays while the card is held ("tiger-1#0", "tiger-1#1"). */
export function handEntries(hand) {
  const seen = new Map();
  return hand.map((card) => {
    const count = seen.get(card) ?? 0;
    seen.set(card, count + 1);
    return { card, key: `${card}#${count}` };
  });
}

/** Return the seat numbers clockwise, beginning after ``seat`` (which is left out), or all of them for a spectator. */
export function othersClockwise(state) {
  const count = state.seats.length;
  if (state.seat === null) return state.seats.map((_, number) => number);
  return Array.from({ length: count - 1 }, (_, step) => (state.seat + 1 + step) % count);
}

export const nameOf = (state, seat) => (seat === state.seat ? "you" : (state.seats[seat]?.name ?? `seat ${seat + 1}`));
