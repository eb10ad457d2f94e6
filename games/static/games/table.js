// A game's page: hears the server, keeps what the player has chosen, shows both.
import { actionsView, blockedNumbers, handWords } from "./actions.js";
import { drawFrom, handCard, parse, withChips } from "./cards.js";
import { chosenEntries, forceBearAction, giveAction, newChoice, playAction, settle, sortedHand, stealAction, stealTotal } from "./choice.js";
import { clockText, tick, timeLeft } from "./clock.js";
import { effectsFrom, effectWords, focusOpenChoice } from "./effects.js";
import { h, show } from "./elements.js";
import { memoryView } from "./memory.js";
import { middleView } from "./middle.js";
import { resultView } from "./result.js";
import { badgesOf, isActing, othersView } from "./seats.js";
import { chainView, goneView, logView } from "./side.js";
import { GameSocket } from "./socket.js";
import { isPaused, standsWords } from "./stands.js";
import { chime, rememberSound, soundIsOn } from "./sound.js";
import { begun, continued, handEntries, isMyTurn, isOver } from "./state.js";

const page = document.getElementById("table");
const part = (name) => document.getElementById(`table-${name}`);
const { sprite, socket: path, next, back, transcript, verify } = page.dataset;
const links = { next, back, transcript, verify };
const title = document.title;
const CHECK_AFTER_MS = 120;

let state = null;
let choice = newChoice();
let sending = null; // {id} while an action waits for its answer, {id, n} until the view with record n comes
let setSince = 0; // the record with which the present table set came
let heldBefore = null; // card keys held before the last change, to show what is new
let checkTimer = 0;

drawFrom(sprite);
effectsFrom(JSON.parse(document.getElementById("effect-words").textContent));
const socket = new GameSocket(new URL(path, location.href.replace(/^http/, "ws")).href, {
  message: heard,
  line: lineChanged,
  seen: () => (state?.view ? state.n : null),
});

// Hearing

function heard(message) {
  if (message.type === "state") become(begun(state, message, performance.now()));
  else if (message.type === "update") updated(message);
  else if (message.type === "presence") presence(message);
  else if (message.type === "clock") clockChanged(message);
  else if (message.type === "ack" && message.id === sending?.id) accepted(message.n);
  else if (message.type === "refused" && message.id === sending?.id) refused(message);
  else if (message.type === "refused") notice("error", message.message);
  else if (message.type === "verdict" && message.id === choice.asked) verdict(message);
}

function updated(message) {
  const after = continued(state, message, performance.now());
  if (after === null) socket.hello();
  else if (after !== state) become(after);
}

function presence({ present }) {
  if (!state) return;
  state = { ...state, present };
  render();
}

function clockChanged({ clock }) {
  if (!state) return;
  become({ ...state, clock, receivedAt: performance.now() });
}

function become(after) {
  const before = state;
  if (after.closed !== undefined) {
    part("closed").textContent = after.closed?.message ?? "";
    part("closed").hidden = !after.closed;
  }
  state = after;
  const moved = !before?.view || !after.view || before.n !== after.n || before.status !== after.status;
  if (after.view) {
    const sameSet = before?.view && before.view.owner === after.view.owner && String(before.view.table) === String(after.view.table);
    if (!sameSet) setSince = after.n;
    heldBefore = before?.view?.hand ? new Set(handEntries(before.view.hand).map(({ key }) => key)) : null;
    settle(after, choice, moved);
  }
  if (before?.view && moved) say(after.log.filter((line) => line.n > before.n).map((line) => line.text).join(" "));
  const turnBegins = moved && isMyTurn(after) && !(before && isMyTurn(before));
  if (turnBegins) {
    chime();
    say("Your turn.");
  }
  if (sending?.n <= after.n) sending = null;
  if (moved && !sending) notice(null);
  render();
  if (turnBegins) showHand();
  if (before && !isOver(before) && isOver(after)) document.getElementById("result-title")?.focus({ preventScroll: true });
  if (chosenEntries(state, choice).length) askSoon();
}

function accepted(n) {
  choice.selected.clear();
  choice.named = null;
  choice.effects = {};
  // Until the view with this record comes, the old one offers what is done already.
  sending = state.n >= n ? null : { ...sending, n };
  render();
}

function refused({ code, message }) {
  sending = null;
  notice("error", code === "stale" ? "The game had moved on before your action arrived; nothing was done. Look again." : message);
  render();
}

function verdict({ ok, message }) {
  choice.verdict = { ok, message };
  render();
}

function lineChanged(status) {
  const words = {
    open: "",
    lost: sending ? "Connection lost. Trying again; your action is sent as soon as the line is back." : "Connection lost. Trying again …",
    "session-ended": "You have been logged out. Log in again and reload this page to go on.",
    "not-allowed": "This page may not connect to the game. Reload it from this site’s own address.",
    "no-such-game": "This game does not exist any more.",
  };
  const line = part("line");
  line.textContent = words[status];
  line.hidden = !words[status];
  page.classList.toggle("is-offline", status !== "open");
}

// Saying

function say(text) {
  if (text) part("announce").append(h("p", {}, text));
  while (part("announce").childElementCount > 12) part("announce").firstElementChild.remove();
}

/** Scroll as far down as it takes to see the whole hand and its buttons, and no further than the top of the hand. */
function showHand() {
  const { top, bottom } = part("mine").getBoundingClientRect();
  const by = Math.min(bottom - innerHeight, top);
  if (by > 0) scrollBy({ top: by, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}

function notice(kind, text = "") {
  show(part("notice"), kind ? h("p", { class: `alert alert--${kind}`, role: "alert" }, withChips(text)) : null);
}

// Doing

function askSoon() {
  clearTimeout(checkTimer);
  choice.asked = null;
  choice.verdict = null;
  checkTimer = setTimeout(() => {
    if (isMyTurn(state) && state.options.play && chosenEntries(state, choice).length) choice.asked = socket.check(playAction(state, choice));
  }, CHECK_AFTER_MS);
}

/** Take over a choice for an animal. The cards stay the same, so their verdict is shown until the new one comes. */
function chooseEffect({ animal, field, value }) {
  const numeric = field === "seat" || field === "number";
  choice.effects[animal] = { ...choice.effects[animal], [field]: numeric ? Number(value) : value };
  const { verdict: before } = choice;
  askSoon();
  choice.verdict = before;
}

function act(action) {
  const id = action && socket.act(action, state.n);
  if (!id) return;
  sending = { id };
  notice(socket.isOpen ? null : "warning", "Not sent yet: the connection is lost. It is sent as soon as the line is back.");
  render();
}

function chooseCard(key) {
  const single = isMyTurn(state) && (state.options.force_bear || state.options.respond);
  const had = choice.selected.has(key);
  if (single) choice.selected.clear();
  if (had) choice.selected.delete(key);
  else choice.selected.add(key);
  choice.focus = key;
  choice.gifts = null;
  notice(null);
  askSoon();
}

function takePlay(index) {
  const play = state.options.plays[index];
  const wanted = [...play.cards];
  choice.selected.clear();
  for (const { key, card } of handEntries(state.view.hand)) {
    const at = wanted.indexOf(card);
    if (at >= 0) {
      wanted.splice(at, 1);
      choice.selected.add(key);
    }
  }
  choice.named = play.as ?? null;
  choice.showPlays = false;
  askSoon();
}

function startGive() {
  const to = state.options.give.to;
  choice.gifts = {};
  if (to.length === 1) for (const { key } of chosenEntries(state, choice)) choice.gifts[key] = to[0];
}

const deeds = {
  choose: ({ key }) => chooseCard(key),
  clear: () => {
    choice.selected.clear();
    choice.effects = {};
  },
  effect: chooseEffect,
  "next-choice": focusOpenChoice,
  name: ({ name }) => {
    choice.named = name || null;
    askSoon();
  },
  sort: () => {
    choice.sort = choice.sort === "animal" ? "number" : "animal";
  },
  play: () => act(playAction(state, choice)),
  "start-give": startGive,
  keep: () => {
    choice.gifts = null;
  },
  gift: ({ key, seat }) => {
    choice.gifts[key] = Number(seat);
  },
  give: () => act(giveAction(state, choice)),
  "steal-more": ({ seat }) => {
    const { take, from } = state.options.steal;
    if (stealTotal(choice) < take && (choice.steal[seat] ?? 0) < from[seat]) choice.steal[seat] = (choice.steal[seat] ?? 0) + 1;
  },
  "steal-less": ({ seat }) => {
    choice.steal[seat] = Math.max(0, (choice.steal[seat] ?? 0) - 1);
  },
  steal: () => act(stealAction(choice)),
  "force-bear": () => act(forceBearAction(state, choice)),
  respond: () => act({ type: "respond", card: chosenEntries(state, choice)[0].card }),
  "show-plays": () => {
    choice.showPlays = !choice.showPlays;
    if (choice.showPlays) socket.listPlays();
  },
  "take-play": ({ play }) => takePlay(Number(play)),
  "ask-resign": () => part("resign").showModal(),
  resign: () => {
    part("resign").close();
    act({ type: "resign" });
  },
  "dont-resign": () => part("resign").close(),
  sound: () => rememberSound(!soundIsOn()),
};

page.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do]");
  if (!target || target.disabled || !state) return;
  deeds[target.dataset.do](target.dataset);
  render();
});

page.addEventListener("change", (event) => {
  const { change } = event.target.dataset;
  if (!change || !state) return;
  deeds[change]({ ...event.target.dataset, value: event.target.value });
  render();
});

part("hand").addEventListener("keydown", (event) => {
  const entries = sortedHand(state, choice);
  const here = entries.findIndex(({ key }) => `hand-${key}` === document.activeElement?.id);
  if (here < 0) return;
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  if (event.key in steps || event.key === "Home" || event.key === "End") {
    const to = event.key === "Home" ? 0 : event.key === "End" ? entries.length - 1 : (here + steps[event.key] + entries.length) % entries.length;
    choice.focus = entries[to].key;
    render();
    document.getElementById(`hand-${choice.focus}`).focus();
  } else if (event.key === "Enter" && choice.selected.size) {
    const ready = part("actions").querySelector(".btn--primary:not(:disabled)");
    if (ready) ready.click();
  } else if (event.key === "Escape") {
    choice.selected.clear();
    render();
  } else return;
  event.preventDefault();
});

// Showing

function handView() {
  const entries = sortedHand(state, choice);
  const blocked = blockedNumbers(state.view.hand);
  const focus = choice.focus ?? entries[0]?.key;
  return entries.map((entry) => {
    const { animal, number } = parse(entry.card);
    return handCard(entry, {
      selected: choice.selected.has(entry.key),
      focusable: entry.key === focus,
      blocked: animal !== "bear" && blocked.has(number),
      isNew: heldBefore !== null && !heldBefore.has(entry.key),
      effect: effectWords(animal),
    });
  });
}

function mineView() {
  const seat = state.seat;
  const { owner, counts } = state.view;
  const known = memoryView(state.view, seat);
  return [
    h("span", { class: "mine__name" }, state.seats[seat].name),
    h("span", { class: "mine__badges" }, !isMyTurn(state) && isActing(state, seat) && h("span", { class: "badge badge--honey" }, "to act"), owner === seat && h("span", { class: "badge" }, "your set is on the table"), badgesOf(state, seat)),
    h("span", { class: "mine__count" }, state.view.hand ? handWords(state.view.hand) : `${counts[seat]} cards`),
    h("span", { class: "clock", "data-clock": seat, title: "Your time left" }, clockText(timeLeft(state, seat, performance.now()))),
    known.some(Boolean) && h("span", { class: "mine__known" }, h("span", { class: "muted" }, "Everybody knows:"), known),
  ];
}

function render() {
  const playing = state.view !== null;
  const over = isOver(state);
  const seated = state.seat !== null;
  const myTurn = isMyTurn(state);
  document.getElementById("seating")?.toggleAttribute("hidden", playing || over);
  part("play").hidden = !playing;
  part("result").hidden = !over || Boolean(state.closed);
  page.dataset.status = state.status;
  document.title = myTurn ? `● Your turn · ${title}` : title;
  part("sound").setAttribute("aria-pressed", soundIsOn() ? "true" : "false");
  part("resign-button").hidden = !(seated && playing && !over && !state.view.out.includes(state.seat));
  if (over && !state.closed) show(part("result"), resultView(state, links));
  if (!playing) return;
  part("play").classList.toggle("is-my-turn", myTurn);
  part("others").dataset.count = state.seats.length - (seated ? 1 : 0);
  show(part("others"), othersView(state));
  show(part("middle"), middleView(state, setSince));
  part("mine").hidden = !seated;
  part("watching").hidden = seated || over;
  if (seated) {
    show(part("me"), mineView());
    show(part("hand"), handView());
    part("hand").classList.toggle("is-large", state.view.hand?.length > 10);
    const other = choice.sort === "animal" ? "Sort by number" : "Sort by animal";
    part("sort").setAttribute("aria-label", other);
    part("sort").title = other;
    part("sort").hidden = !(state.view.hand?.length > 1);
    part("actions").hidden = over;
    if (!over) show(part("actions"), actionsView(state, choice, sending));
  }
  show(part("log"), logView(state));
  show(part("gone"), goneView(state));
  part("gone-count").textContent = String(state.view.gone?.length ?? 0);
  show(part("chain"), chainView(state));
}

// What stands, until when, and who is away: said anew as the seconds pass.
let paused = false;
function showStands() {
  const words = standsWords(state);
  const line = part("stands");
  if (line.textContent !== words) line.textContent = words;
  line.hidden = !words;
  if (paused !== isPaused(state)) {
    paused = !paused;
    page.classList.toggle("is-paused", paused);
    say(paused ? words : "The game goes on.");
    render();
  }
}

setInterval(() => {
  if (!state?.view) return;
  showStands();
  if (!document.hidden) tick(page, state);
}, 200);
