// Parts of a page that move by themselves.
//
//   <div data-watch="tournament.12" hx-get="/…/live/" hx-trigger="watched" hx-swap="morph:innerHTML">
//
// One socket for the whole page hears which topics changed; every part with that topic (several topics: parted by a
// space) gets the event "watched", upon which htmx fetches it. While somebody types in a part, it waits. Without a
// socket the parts are fetched now and then instead. A field with data-keep (and an id) is left alone by it all.
const GATHER_MS = 200; // changes that come together are fetched once
const SPACING_MS = 1000; // and no part more often than this
const POLL_MS = 15000;
const BACK_OFF_MS = [500, 1000, 2000, 5000, 10000, 20000];

let socket = null;
let subscribed = "";
let failures = 0;
let reconnectTimer = 0;
const stale = new Set();
let gathering = 0;

const topicsOf = (element) => (element.dataset.watch || "").split(/\s+/).filter(Boolean);
const watched = () => [...document.querySelectorAll("[data-watch]")];

function topics() {
  return [...new Set(watched().flatMap(topicsOf))].sort();
}

const FIELDS = ":is(input:not([type=hidden], [type=submit], [type=button]), textarea, select):not([data-keep])";

function isTouched(field) {
  if (field === document.activeElement) return true;
  if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected) && [...field.options].some((option) => option.defaultSelected);
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** True while fetching the part anew would take something out of the user's hands. */
function inUse(element) {
  return Boolean(element.querySelector("dialog[open], .htmx-request")) || [...element.querySelectorAll(FIELDS)].some(isTouched);
}

function refreshSoon(element) {
  stale.add(element);
  if (!gathering) gathering = setTimeout(refresh, GATHER_MS);
}

function refresh() {
  gathering = 0;
  const now = Date.now();
  for (const element of stale) {
    if (!element.isConnected) {
      stale.delete(element);
    } else if (!document.hidden && !inUse(element) && now - Number(element.watchedAt || 0) >= SPACING_MS) {
      stale.delete(element);
      element.watchedAt = now;
      window.htmx.trigger(element, "watched");
    }
  }
  if (stale.size && !document.hidden) gathering = setTimeout(refresh, SPACING_MS);
}

function changed(topic) {
  for (const element of watched()) if (topic === null || topicsOf(element).includes(topic)) refreshSoon(element);
}

function connect() {
  clearTimeout(reconnectTimer);
  const wanted = topics();
  subscribed = wanted.join(" ");
  if (socket) {
    const old = socket;
    socket = null;
    old.close();
  }
  if (!wanted.length) return;
  const query = wanted.map((topic) => `topic=${encodeURIComponent(topic)}`).join("&");
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opening = new WebSocket(`${scheme}://${location.host}/ws/watch/?${query}`);
  socket = opening;
  opening.addEventListener("open", () => {
    failures = 0;
    // What changed since the page was made, or between two connections, was not heard.
    changed(null);
  });
  opening.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "changed") changed(message.topic);
  });
  opening.addEventListener("close", () => {
    if (socket !== opening) return;
    socket = null;
    const wait = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)];
    failures += 1;
    reconnectTimer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  });
}

function follow() {
  if (topics().join(" ") !== subscribed) connect();
}

document.addEventListener("DOMContentLoaded", () => {
  // Details that the reader opened stay open when the part around them is fetched anew.
  const { callbacks } = window.Idiomorph.defaults;
  callbacks.beforeAttributeUpdated = (name, node) => !(name === "open" && node.matches("details, dialog"));
  callbacks.beforeNodeMorphed = (node) => !(node instanceof Element && node.matches("[data-keep]"));
  connect();
  // Whoever began to type while the part was on its way keeps what they typed; the part is fetched again later.
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const part = event.detail.target;
    if (!part.matches("[data-watch]") || event.detail.elt !== part || !inUse(part)) return;
    event.detail.shouldSwap = false;
    refreshSoon(part);
  });
  document.body.addEventListener("htmx:afterSettle", follow);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!socket && topics().length) connect();
  if (stale.size) refresh();
});
setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN && !document.hidden) changed(null);
}, POLL_MS);

// The account menu closes when the reader looks elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
