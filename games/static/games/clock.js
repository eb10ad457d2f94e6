// Each seat's time, counted down here between messages. The server alone decides when it is up.

/** Return the milliseconds that ``seat`` has left at ``now`` (of performance.now), or null without a clock. */
export function timeLeft(state, seat, now) {
  const clock = state.clock;
  if (!clock?.bank || clock.bank[seat] === undefined) return null;
  const runs = state.status === "running" && clock.running.includes(seat);
  return Math.max(0, clock.bank[seat] - (runs ? now - state.receivedAt : 0));
}

/** Return "4:05", and tenths below ten seconds. */
export function clockText(ms) {
  if (ms === null) return "";
  if (ms < 10_000) return `${Math.floor(ms / 1000)}.${Math.floor((ms % 1000) / 100)}`;
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Write the current times into every ``[data-clock]`` below ``root``. */
export function tick(root, state) {
  const now = performance.now();
  for (const element of root.querySelectorAll("[data-clock]")) {
    const left = timeLeft(state, Number(element.dataset.clock), now);
    const text = clockText(left);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("is-short", left !== null && left < 30_000);
  }
}
