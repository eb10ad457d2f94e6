// Each seat's time, counted down here between messages. The server alone decides when it is up.

/** Return the milliseconds that ``seat`` has left at ``now`` (of performance.now), or null without a clock. */
export function timeLeft(state, seat, now) {
  const clock = state.clock;
  if (!clock?.bank || clock.bank[seat] === undefined || clock.control === "untimed") return null;
  if (state.status !== "running" || !clock.running.includes(seat)) return clock.bank[seat];
  const stands = clock.stands ? (clock.stands.in ?? Infinity) : 0;
  const spare = clock.away?.includes(seat) ? clock.spare[seat] : 0;
  return Math.max(0, clock.bank[seat] - Math.max(0, now - state.receivedAt - stands - spare));
}

/** Return "4:05", with tenths below ten seconds, and "1h05" from an hour on. */
export function clockText(ms) {
  if (ms === null) return "";
  if (ms < 10_000) return `${Math.floor(ms / 1000)}.${Math.floor((ms % 1000) / 100)}`;
  const seconds = Math.ceil(ms / 1000);
  const two = (count) => String(count).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
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
