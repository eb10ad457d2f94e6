// The line to the server: opens, opens again with back-off, and brings an action through exactly once.

const BACK_OFF_MS = [300, 1000, 2000, 4000, 8000, 15000];
const PING_MS = 15000;
const SILENCE_MS = 35000; // nothing at all for this long: the line is dead, whatever the browser thinks
const ANSWER_MS = 8000;
const FINAL = { 4401: "session-ended", 4403: "not-allowed", 4404: "no-such-game" };

/** Return a random id; works on plain http too, where crypto.randomUUID does not exist. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class GameSocket {
  /**
   * ``on`` holds callbacks: message(message), line(status) with "open", "lost", "session-ended", "not-allowed" or
   * "no-such-game", and seen(), which returns the number of the last record known, or null. ``several``: may several
   * actions be on their way at once?
   */
  constructor(address, on, { several = false } = {}) {
    this.address = address;
    this.on = on;
    this.several = several;
    this.plays = false;
    this.failures = 0;
    this.unanswered = new Map(); // the actions that wait for their acknowledgement, by id
    this.lastHeard = 0;
    this.stopped = false;
    this.timer = 0;
    setInterval(() => this.watchOver(), 5000);
    addEventListener("online", () => this.openNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.openNow();
    });
    this.open();
  }

  /** Milliseconds since the server was last heard. */
  get silence() {
    return performance.now() - this.lastHeard;
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.lastHeard = performance.now();
      this.hello();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.lastHeard = performance.now();
      this.heard(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.closed(event.code);
    });
  }

  openNow() {
    if (this.stopped || this.isOpen || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.failures = 0;
    this.open();
  }

  closed(code) {
    this.socket = null;
    if (FINAL[code]) {
      this.stopped = true;
      this.on.line(FINAL[code]);
      return;
    }
    this.on.line("lost");
    const wait = BACK_OFF_MS[Math.min(this.failures, BACK_OFF_MS.length - 1)] * (code === 4429 ? 5 : 1);
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  watchOver() {
    if (!this.isOpen) return;
    const { silence } = this;
    if (silence > SILENCE_MS) {
      const dead = this.socket;
      this.closed(0);
      dead.close();
    } else if (silence > PING_MS) {
      this.send({ type: "ping", id: newId() });
    }
    for (const [id, { sentAt }] of this.unanswered) {
      if (performance.now() - sentAt > ANSWER_MS) this.sendAct(id);
    }
  }

  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  hello() {
    this.send({ type: "hello", seen: this.on.seen(), plays: this.plays });
  }

  /** Have the plays listed from now on; a list costs the server more than all the rest of a view. */
  listPlays() {
    if (this.plays) return;
    this.plays = true;
    this.hello();
  }

  heard(message) {
    if (message.type === "probe") {
      this.send({ type: "probe", id: message.id });
      return;
    }
    if (message.type === "state") {
      this.failures = 0;
      this.on.line("open");
      this.on.message(message);
      // The line broke before the answer came: the same id again is done once, whatever became of the first.
      for (const id of this.unanswered.keys()) this.sendAct(id);
      return;
    }
    if (message.type === "ack" || message.type === "refused") this.unanswered.delete(message.id);
    this.on.message(message);
  }

  /** Send an action decided on record ``seen``; returns its id, or null while another one waits (unless ``several``). */
  act(action, seen) {
    if (this.unanswered.size && !this.several) return null;
    const id = newId();
    this.unanswered.set(id, { seen, action, sentAt: 0 });
    this.sendAct(id);
    return id;
  }

  sendAct(id) {
    const waiting = this.unanswered.get(id);
    waiting.sentAt = performance.now();
    this.send({ type: "act", id, seen: waiting.seen, action: waiting.action });
  }

  /** Ask whether an action would be legal; returns the id that the verdict will carry. */
  check(action) {
    const id = newId();
    this.send({ type: "check", id, action });
    return id;
  }
}
