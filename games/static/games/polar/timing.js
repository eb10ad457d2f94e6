// How long until the table itself acts, counted down here between messages. The server alone decides when it does.
import { listed } from "../elements.js";
import { standsFor } from "../stands.js";
import { nameOf } from "../state.js";
import { questionWords } from "./question.js";

/** Return the milliseconds until ``what`` ("go", "idle", "question") at ``now`` of performance.now(), or null if no such time runs. */
export function timeUntil(state, what, now) {
  const left = state.status === "running" ? (state.clock?.[what] ?? null) : null;
  return left === null ? null : Math.max(0, left - (now - state.receivedAt));
}

/** Return whole seconds, rounded up, so that 0 is only said when the time is over; null without a time. */
export function secondsUntil(state, what, now) {
  const left = timeUntil(state, what, now);
  return left === null ? null : Math.ceil(left / 1000);
}

const IDLE_SHOWN_S = 10;

/** Return the line above the grid: what everybody waits for, or what to do. */
export function statusWords(state, now) {
  const { phase, round, question } = state.view;
  if (standsFor(state, now) > 0) return `Round ${round} stands.`;
  if (phase === "bonus") return state.seat === null ? `Bonus question. ${questionWords(question)}` : "Bonus question: count the cards in the grid.";
  if (phase === "ready") {
    const seconds = secondsUntil(state, "go", now);
    const missing = (state.clock?.missing ?? []).map((seat) => nameOf(state, seat));
    if (seconds === null) return missing.length ? `Round ${round} waits for ${listed(missing)}.` : `Round ${round} is about to begin.`;
    return seconds > 0 ? `Round ${round} begins in ${seconds}. Look at the grid.` : `Round ${round}: ready …`;
  }
  const idle = secondsUntil(state, "idle", now);
  if (idle !== null && idle <= IDLE_SHOWN_S) return `The round ends in ${idle} if nobody takes a card.`;
  if (state.seat === null) return `Round ${round} is on.`;
  return `Round ${round}: take what differs from your card in one thing at most.`;
}
