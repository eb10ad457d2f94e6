// The page of a game of Pick-a-Polar-Bear: hears the server, sends what the player takes, shows both.
import { counted, h, show, showIfNew } from "../elements.js";
import { badgesOf } from "../badges.js";
import { GameSocket } from "../socket.js";
import { chime, rememberSound, soundIsOn } from "../sound.js";
import { isPaused, standsWords } from "../stands.js";
import { begun, continued, isMyTurn, isOver } from "../state.js";
import { drawFrom } from "./cards.js";
import { checkSpoken, checkView, overlookedCards, ownScoreWords } from "./check.js";
import { Grid } from "./grid.js";
import { Log } from "./log.js";
import { belowView, stackWords, topSpoken, topView } from "./mine.js";
import { questionView, questionWords, typeNumber } from "./question.js";
import { resultView } from "./result.js";
import { showSeats } from "./seats.js";
import { Sent } from "./sent.js";
import { secondsUntil, statusWords } from "./timing.js";

const page = document.getElementById("table");
const part = (name) => document.getElementById(`table-${name}`);
const { drawings, socket: path, next, back, transcript, verify, rated } = page.dataset;
const links = { next, back, transcript, verify };
const title = document.title;
const NOTICE_MS = 4000;
const SILENT_MS = 5000; // a round brings a probe each second: silence means that this page is behind
const TICK_MS = 100;

let state = null;
let overlooked = null; // the cards that the last stop overlooked, as long as they can be told
let showAllNumbers = false;
let helpIsOn = rated === "no" && localStorageSays("polar-help");
let line = "lost";
let behind = false;
let paused = false;
let redraw = 0;
let logAfresh = true;
let noticeTimer = 0;

drawFrom(drawings);
const sent = new Sent();
const grid = new Grid(part("grid"), grab);
const log = new Log(part("log"));
const socket = new GameSocket(
  new URL(path, location.href.replace(/^http/, "ws")).href,
  { message: heard, line: lineChanged, seen: () => (state?.view ? state.n : null) },
  { several: true },
);

// Hearing

function heard(message) {
  if (message.type === "state") {
    behind = false;
    logAfresh = true;
    part("closed").textContent = message.closed?.message ?? "";
    part("closed").hidden = !message.closed;
    become(begun(state, message, performance.now()), []);
  } else if (message.type === "update") updated(message);
  else if (message.type === "presence" && state) {
    state = { ...state, present: message.present };
    drawSoon();
  } else if (message.type === "clock" && state) {
    state = { ...state, clock: message.clock, receivedAt: performance.now() };
    drawSoon();
  } else if (message.type === "ack") {
    sent.accepted(message.id, message.n, state.n);
    drawSoon();
  } else if (message.type === "refused") refused(message);
}

function updated(message) {
  const after = continued(state, message, performance.now());
  if (after === null) {
    behind = true;
    socket.hello();
  } else if (after !== state) become(after, (message.events ?? []).filter((event) => event.n > state.n));
}

function become(after, events) {
  const before = state;
  state = after;
  if (after.view) {
    sent.caughtUp(before, after, events);
    if (after.view.check) overlooked = overlookedCards(after.view, events, before?.view?.check?.round === after.view.check.round ? overlooked : null);
    if (before?.view) tellChanges(before, after, events);
  }
  drawSoon();
  if (before && !isOver(before) && isOver(after)) requestAnimationFrame(() => document.getElementById("result-title")?.focus({ preventScroll: true }));
}

/** Say what a listener has to know; what others take is not said. */
function tellChanges(before, after, events) {
  const was = before.view;
  const is = after.view;
  if (was.round !== is.round || was.phase !== is.phase) notice("");
  if (is.check && was.check?.round !== is.check.round) say(checkSpoken(after));
  if (is.question && is.question !== was.question) {
    showAllNumbers = false;
    chime();
    say(`Bonus question. ${questionWords(is.question)}`);
  }
  if (is.phase === "grab" && (was.phase !== "grab" || was.round !== is.round)) {
    chime();
    flash("Go!");
    say(`Go! ${is.seat === null ? "" : topSpoken(is.stacks[is.seat])}`);
  } else if (is.phase === "ready" && (was.phase !== "ready" || was.round !== is.round) && !isOver(after)) say(`Round ${is.round} is about to begin.`);
  for (const event of events) {
    const closed = event.type === "discard" && event.count !== null;
    if (closed || ["answer", "resign", "forfeit"].includes(event.type)) say(lineOf(after, events, event));
  }
}

/** Return the line of the log for ``event``: the lines of a record stand in the order of its events. */
function lineOf(after, events, event) {
  const place = events.filter(({ n }) => n === event.n).indexOf(event);
  return after.log.filter(({ n }) => n === event.n)[place].text;
}

function refused({ id, code, message, n }) {
  const entry = sent.refused(id);
  if (entry?.action.type === "grab" && state?.view) {
    draw();
    if (entry.shown) grid.takenBack(entry.action.place);
    notice(code === "stale" || code === "not-now" ? "Too late: the round was over before your grab arrived." : `Taken back: ${message}`);
  } else notice(code === "stale" ? "The game had moved on before this arrived; nothing was done." : message);
  if (n > (state?.n ?? 0) + 50) socket.hello();
  drawSoon();
}

function lineChanged(status) {
  line = status;
  const words = {
    open: "",
    lost: "Connection lost. Trying again … Until then nothing can be taken.",
    "session-ended": "You have been logged out. Log in again and reload this page to go on.",
    "not-allowed": "This page may not connect to the game. Reload it from this site’s own address.",
    "no-such-game": "This game does not exist any more.",
  };
  part("line").textContent = words[status];
  part("line").hidden = !words[status];
  page.classList.toggle("is-offline", status !== "open");
  tick();
}

// Saying

function say(text) {
  part("announce").append(h("p", {}, text));
  while (part("announce").childElementCount > 8) part("announce").firstElementChild.remove();
}

function notice(text) {
  clearTimeout(noticeTimer);
  part("notice").textContent = text;
  noticeTimer = setTimeout(() => {
    part("notice").textContent = "";
  }, NOTICE_MS);
}

function flash(text) {
  part("flash").replaceChildren(h("span", {}, text));
}

// Doing

function send(action, card = null) {
  if (!socket.isOpen) {
    notice("The connection is lost: nothing was sent.");
    return;
  }
  sent.add(socket.act(action, state.n), action, card);
  draw();
}

function grab(place) {
  if (!isMyTurn(state) || !state.options.stop || sent.find("stop")) return;
  const card = sent.grid(state.view)[place];
  if (card !== null) send({ type: "grab", place }, card);
}

const deeds = {
  stop: () => {
    if (isMyTurn(state) && state.options.stop && !sent.find("stop")) send({ type: "stop" });
  },
  answer: ({ count }) => {
    if (isMyTurn(state) && state.options.answer && !sent.find("answer")) send({ type: "answer", count: Number(count) });
  },
  "more-numbers": () => {
    showAllNumbers = true;
  },
  help: () => {
    helpIsOn = !helpIsOn;
    remember("polar-help", helpIsOn);
  },
  sound: () => rememberSound(!soundIsOn()),
  "ask-resign": () => part("resign").showModal(),
  "dont-resign": () => part("resign").close(),
  resign: () => {
    part("resign").close();
    send({ type: "resign" });
  },
};

page.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do]");
  if (!target || target.disabled || !state) return;
  deeds[target.dataset.do](target.dataset);
  draw();
});

document.addEventListener("keydown", (event) => {
  if (!state?.view || event.ctrlKey || event.metaKey || event.altKey || part("resign").open) return;
  const inGrid = part("grid").contains(document.activeElement);
  const nowhere = document.activeElement === document.body;
  if (/^[0-9]$/.test(event.key) && state.view.phase === "bonus") {
    if (typeNumber(event.key, performance.now())) event.preventDefault();
  } else if (event.key.startsWith("Arrow") && nowhere && state.seat !== null) {
    grid.focus();
    event.preventDefault();
  } else if (event.key.toLowerCase() === "s" && inGrid && !event.repeat) deeds.stop();
});

function localStorageSays(name) {
  try {
    return localStorage.getItem(name) === "on";
  } catch {
    return false; // storage switched off
  }
}

function remember(name, on) {
  try {
    localStorage.setItem(name, on ? "on" : "off");
  } catch {
    // for this page only
  }
}

// Showing

/** Draw what was heard with the next frame: messages that come together are drawn together, and probes wait for no drawing. */
function drawSoon() {
  redraw ||= requestAnimationFrame(draw);
}

function draw() {
  cancelAnimationFrame(redraw);
  redraw = 0;
  if (!state) return;
  const over = isOver(state);
  const playing = state.view !== null;
  document.getElementById("seating")?.toggleAttribute("hidden", playing || over);
  part("play").hidden = !playing;
  part("result").hidden = !over;
  page.dataset.status = state.status;
  part("sound").setAttribute("aria-pressed", soundIsOn() ? "true" : "false");
  part("resign-button").hidden = !(state.seat !== null && playing && !over && !state.view.out.includes(state.seat));
  if (over) show(part("result"), resultView(state, links));
  if (playing) drawTable(over);
  tick();
}

function drawTable(over) {
  const { view, seat } = state;
  const phase = over ? "over" : view.phase;
  page.dataset.phase = phase;
  document.title = !over && seat !== null && view.phase !== "grab" ? `● ${title}` : title;
  const stack = seat === null ? [] : sent.stack(view);
  const top = stack.at(-1) ?? null;
  const helping = helpIsOn && phase === "grab" && top !== null;
  grid.show({
    cards: sent.grid(view),
    columns: view.columns,
    open: phase === "grab" && isMyTurn(state) && !sent.find("stop"),
    hint: helping ? { top, restricted: view.restricted === seat } : null,
  });
  showSeats(part("seats"), state);
  part("mine").hidden = seat === null || over;
  part("watching").hidden = seat !== null || over;
  if (seat !== null) drawMine(stack, phase);
  part("check").hidden = view.check === null;
  if (view.check) showIfNew(part("check"), [view.check, overlooked, view.points], () => checkView(state, overlooked));
  part("pile").textContent = String(view.pile.pictures + view.pile.bonus);
  log.show(state.log, logAfresh);
  logAfresh = false;
  part("chain").replaceChildren(state.n ? `Record ${state.n}: ` : "No record yet. ", h("span", { class: "mono" }, state.hash ?? ""));
}

function drawMine(stack, phase) {
  const { view, seat } = state;
  const out = view.out.includes(seat);
  showIfNew(part("top"), [stack.at(-1) ?? null, stack.length], () => topView(stack));
  showIfNew(part("below"), stack, () => belowView(stack));
  part("top").classList.toggle("is-pending", sent.grabs().length > 0);
  showIfNew(part("me"), [view.points[seat], badgesOf(state, seat).map((badge) => badge.textContent)], () => [
    h("b", { class: "name" }, state.seats[seat].name),
    badgesOf(state, seat),
    h("span", { class: "pb-points" }, counted(view.points[seat], "point")),
  ]);
  part("height").textContent = out ? "You are out of this game." : (phase === "ready" && ownScoreWords(state)) || stackWords(stack);
  const asked = phase === "bonus" && !out;
  const answer = sent.find("answer")?.count ?? null;
  part("question").hidden = !asked;
  if (asked) showQuestion(answer);
  const stopping = sent.find("stop") !== null;
  part("stop").hidden = phase !== "grab" || out;
  part("stop").disabled = stopping || !isMyTurn(state);
  part("stop").classList.toggle("is-sent", stopping);
  part("help").hidden = rated !== "no";
  part("help").setAttribute("aria-pressed", helpIsOn ? "true" : "false");
  part("restricted").hidden = view.restricted !== seat;
}

function showQuestion(answer) {
  const held = document.activeElement?.id;
  showIfNew(part("question"), [state.view.question, state.view.answered, state.options, answer, showAllNumbers], () => questionView(state, answer, showAllNumbers));
  if (held?.startsWith("answer-") && document.activeElement?.id !== held) document.getElementById(held)?.focus();
}

function tick() {
  if (!state?.view) return;
  const now = performance.now();
  tellStands(now);
  for (const element of page.querySelectorAll("[data-time]")) {
    const seconds = secondsUntil(state, element.dataset.time, now);
    const text = seconds === null ? "" : String(seconds);
    if (element.textContent !== text) element.textContent = text;
  }
  const words = isOver(state) ? "" : statusWords(state, now);
  if (part("status").textContent !== words) part("status").textContent = words;
  const silent = state.status === "running" && state.view.phase === "grab" && socket.silence > SILENT_MS;
  const shown = line !== "open" ? "reconnecting" : behind || silent ? "behind" : "live";
  part("live").hidden = isOver(state);
  if (part("live").dataset.line !== shown) {
    part("live").dataset.line = shown;
    part("live").textContent = shown;
  }
}

/** Say why and until when no time runs. */
function tellStands(now) {
  const words = standsWords(state, now);
  if (part("stands").textContent !== words) part("stands").textContent = words;
  part("stands").hidden = !words;
  if (paused === isPaused(state, now)) return;
  paused = !paused;
  say(paused ? words : "The game goes on.");
  drawSoon();
}

setInterval(() => {
  if (!document.hidden) tick();
}, TICK_MS);
