// What this browser has sent and the server has not answered. Its own grabs are shown at once; the server may take them back.

export class Sent {
  constructor() {
    this.waiting = new Map(); // id -> {action, card, n, shown}; n: the record that it became, until the view has it
  }

  add(id, action, card = null) {
    this.waiting.set(id, { action, card, n: null, shown: true });
  }

  /** Note that the action ``id`` is record ``n``; ``known`` is the last record that is shown anyway. */
  accepted(id, n, known) {
    const entry = this.waiting.get(id);
    if (!entry) return;
    if (n <= known) this.waiting.delete(id);
    else entry.n = n;
  }

  /** Forget the refused action ``id`` and return what it was, or undefined where it is not ours. */
  refused(id) {
    const entry = this.waiting.get(id);
    this.waiting.delete(id);
    return entry;
  }

  /** Take note of a new state: what it contains, or what it made impossible, is not shown twice. */
  caughtUp(before, after, events) {
    const taken = new Set(events.filter((event) => event.type === "grab" && event.seat === after.seat).map(({ place }) => place));
    const moved = !before?.view || !after.view || before.view.round !== after.view.round || before.view.phase !== after.view.phase;
    for (const [id, entry] of this.waiting) {
      const { type, place } = entry.action;
      if (entry.n !== null && entry.n <= after.n) this.waiting.delete(id);
      else if (type === "grab" && (moved || taken.has(place) || (events.length === 0 && after.view.grid[place] !== entry.card))) entry.shown = false;
      else if (moved) entry.shown = false;
    }
  }

  /** Return the action of ``type`` that waits for its answer, or null. */
  find(type) {
    for (const { action, shown } of this.waiting.values()) if (shown && action.type === type) return action;
    return null;
  }

  grabs() {
    return [...this.waiting.values()].filter(({ action, shown }) => shown && action.type === "grab");
  }

  /** Return the grid as it will be if all grabs stand. */
  grid(view) {
    const grid = [...view.grid];
    for (const { action } of this.grabs()) grid[action.place] = null;
    return grid;
  }

  /** Return the own stack as it will be if all grabs stand. */
  stack(view) {
    return [...view.stacks[view.seat], ...this.grabs().map(({ card }) => card)];
  }
}
