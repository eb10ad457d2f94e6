// Checks a transcript: fingerprint, chain and deal here by Web Crypto, the rules by the server's engine.
import { h } from "./elements.js";
import { canonical, chain, dealOf, fingerprint } from "./transcript.js";

const LARGEST = 1 << 20;
const form = document.getElementById("verifier");
const report = document.getElementById("report");
const dealt = document.getElementById("dealt");

function show(title, lines) {
  report.hidden = false;
  report.replaceChildren(
    h("h2", { class: "card__title", tabindex: "-1" }, title),
    h("ul", { class: "checks" }, lines.map(([ok, what, detail]) =>
      h("li", {},
        h("span", { class: `checks__mark checks__mark--${ok === null ? "unknown" : ok ? "yes" : "no"}`, role: "img", "aria-label": ok === null ? "not checked" : ok ? "right" : "wrong" }, ok === null ? "–" : ok ? "✓" : "✕"),
        h("span", {}, what, detail && h("small", { class: "muted" }, detail))))),
  );
}

function showDeal(document_, deal) {
  dealt.hidden = !deal;
  if (!deal) return;
  const { table, hands } = deal;
  dealt.replaceChildren(
    h("h2", { class: "card__title" }, "The deal, worked out by your browser"),
    h("dl", { class: "hands" },
      table && [h("dt", {}, "First card on the table"), h("dd", { class: "mono small" }, table)],
      hands.map((hand, seat) => [h("dt", {}, document_.names?.[seat] || `Seat ${seat}`), h("dd", { class: "mono small" }, hand.join(" "))])),
  );
}

async function inBrowser(transcript) {
  const lines = [];
  const { fairness } = transcript;
  if (fairness?.server_seed) {
    const found = await fingerprint(fairness.server_seed);
    lines.push([found === fairness.commitment, "The secret has the fingerprint that was shown before the deal", found]);
  } else {
    lines.push([null, "The secret", fairness ? "It is published when the game is over." : "An explicit deal has none."]);
  }
  const broken = await chain(transcript);
  lines.push(broken === null
    ? [true, `The chain of ${transcript.records.length} records is whole`, transcript.records.at(-1)?.hash]
    : [false, `The chain is broken at record ${broken}`, "This record, or one before it, is not the one that was acknowledged."]);
  return lines;
}

async function byServer(text) {
  const response = await fetch(form.dataset.verify, { method: "POST", headers: { "Content-Type": "application/json" }, body: text });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) return [null, "The rules were not checked", answer.error?.message ?? `The server answered ${response.status}.`];
  const place = answer.at_record === null ? "" : ` at record ${answer.at_record}`;
  if (!answer.ok) return [false, `The engine found a fault: ${answer.fault}${place}`, answer.message];
  return [true, answer.complete ? "Every action was legal, and the outcome follows" : "So far everything is in order; the game still runs", `${answer.records} records played again by the engine.`];
}

async function check(file) {
  dealt.hidden = true;
  if (file.size > LARGEST) return show("This is no transcript", [[false, "The file is too large", `A transcript has at most ${LARGEST / 1024} KiB.`]]);
  const text = await file.text();
  let transcript;
  try {
    transcript = JSON.parse(text);
    canonical(transcript);
    if (!Array.isArray(transcript.records)) throw new TypeError("It has no list of records.");
  } catch (error) {
    return show("This is no transcript", [[false, "The file cannot be read as a transcript", error.message]]);
  }
  show("Checking …", []);
  let lines;
  try {
    lines = await inBrowser(transcript);
  } catch (error) {
    lines = [[false, "The browser cannot check this transcript", error.message]];
  }
  try {
    lines.push(await byServer(text));
  } catch {
    lines.push([null, "The rules were not checked", "The server cannot be reached."]);
  }
  const wrong = lines.some(([ok]) => ok === false);
  const open = lines.some(([ok]) => ok === null);
  show(wrong ? "This transcript does not verify" : open ? "What could be checked is right" : "This transcript is verified", lines);
  try {
    showDeal(transcript, wrong ? null : await dealOf(transcript));
  } catch {
    dealt.hidden = true;
  }
  report.querySelector("h2").focus();
}

const field = document.getElementById("transcript");
const chosen = () => field.files[0] && check(field.files[0]);
field.addEventListener("change", chosen);
chosen(); // a file may have been chosen while this was loading
form.addEventListener("submit", (event) => event.preventDefault());
for (const name of ["dragover", "dragleave", "drop"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.toggle("is-over", name === "dragover");
    const file = name === "drop" && event.dataTransfer.files[0];
    if (file) check(file);
  });
}
