// What the player can do now, as words and buttons.
import { animals, BEAR, chip, parse, spoken, withChips } from "./cards.js";
import { chosenEntries, forceBearAction, giveAction, onlyBears, stealTotal } from "./choice.js";
import { effectsView, openChoices } from "./effects.js";
import { counted, h, listed } from "./elements.js";
import { actingWords } from "./middle.js";
import { inWords, whyItBeats } from "./sets.js";
import { isMyTurn } from "./state.js";

const button = (label, action, attributes = {}) => h("button", { type: "button", class: "btn", "data-do": action, id: `do-${action}`, ...attributes }, label);
const dock = (...parts) => h("div", { class: "act__dock", id: "dock" }, ...parts);
const head = (title, text) => h("p", { class: "act__head" }, h("b", {}, title), text && h("span", {}, ` ${text}`));

function namingView(choice, names, prompt) {
  const option = (value, label) => h("button", { type: "button", class: "pick", "data-do": "name", "data-name": value ?? "", id: `name-${value ?? BEAR}`, "aria-pressed": choice.named === value ? "true" : "false" }, label);
  return h("div", { class: "act__names", role: "group", "aria-label": prompt, id: "names" }, h("span", {}, prompt), option(null, "bear"), names.map((name) => option(name, name)));
}

function verdictView(state, choice, cards, open) {
  const { table, table_as: tableNamed } = state.view;
  const named = onlyBears(cards) ? choice.named : null;
  const counts = `${inWords(cards, named)}`;
  if (!choice.verdict) return h("p", { class: "verdict", id: "verdict" }, `Chosen: ${counts}.`);
  if (!choice.verdict.ok) return h("p", { class: "verdict verdict--no", id: "verdict" }, h("b", { "aria-hidden": "true" }, "✕ "), withChips(choice.verdict.message));
  const why = whyItBeats(cards, named, table, tableNamed);
  const still = open.length ? ` Choose for the ${listed(open)} above.` : "";
  return h("p", { class: "verdict verdict--yes", id: "verdict" }, h("b", { "aria-hidden": "true" }, "✓ "), `${why ? `${why} ` : ""}It beats the table set.${still}`);
}

/** Return what stands beside the buttons while no card is chosen: as much room as a verdict, so that nothing jumps. */
function unchosenView(options, choice) {
  return h(
    "div",
    { class: "verdict verdict--none" },
    h("span", {}, "Choose from your hand."),
    options.play && button(choice.showPlays ? "Hide plays" : "Show plays", "show-plays", { class: "btn btn--quiet btn--small", "aria-expanded": choice.showPlays ? "true" : "false" }),
  );
}

function playsView(options) {
  return h(
    "div",
    { class: "plays", id: "plays" },
    h("p", { class: "plays__head" }, `${counted(options.plays.length, "play")}${options.plays_truncated ? ", and more" : ""}, the strongest last. Tap one to choose its cards.`),
    h("ol", {}, options.plays.map((play, index) => h("li", {}, h("button", { type: "button", class: "plays__play", id: `play-${index}`, "data-do": "take-play", "data-play": index }, play.cards.map(chip), play.as && h("span", { class: "muted" }, ` as ${play.as}`))))),
  );
}

function turnWords(options) {
  if (options.must_give) return head("Your turn: give away.", "A beaver asks for it.");
  if (options.must_play && options.play) return head("Your turn.", "You can beat the table set, so you must.");
  if (!options.play && options.give) return head("Your turn.", `Nothing you hold beats the table set: choose ${counted(options.give.cards, "card")} to give away.`);
  if (options.play && options.give) return head("Your turn.", `Play a set that beats the table, or give away ${counted(options.give.cards, "card")}.`);
  return head("Your turn.");
}

function giftsView(state, choice, entries) {
  return h(
    "div",
    { class: "gifts", id: "gifts" },
    entries.map(({ key, card }) =>
      h(
        "div",
        { class: "gifts__row", role: "group", "aria-label": `${spoken(card)} goes to`, id: `gift-${key}` },
        chip(card),
        h("span", { class: "muted" }, "goes to"),
        state.options.give.to.map((seat) => h("button", { type: "button", class: "pick", "data-do": "gift", "data-key": key, "data-seat": seat, id: `gift-${key}-${seat}`, "aria-pressed": choice.gifts[key] === seat ? "true" : "false" }, state.seats[seat].name)),
      ),
    ),
    dock(h("div", { class: "act__buttons" }, button("Give", "give", { class: "btn btn--primary", disabled: giveAction(state, choice) === null }), button("Back", "keep", { class: "btn btn--quiet" }))),
  );
}

function turnView(state, choice) {
  const { options } = state;
  const entries = chosenEntries(state, choice);
  const cards = entries.map(({ card }) => card);
  if (choice.gifts && options.give && entries.length === options.give.cards) return [head("Give away.", "Everybody sees what you give."), effectsView(state, choice, cards, { given: true }), giftsView(state, choice, entries)];
  const mayGive = options.give && entries.length === options.give.cards;
  const canName = options.name?.length > 0 && onlyBears(cards);
  const open = options.play ? openChoices(state, choice, cards) : [];
  return [
    turnWords(options),
    canName && namingView(choice, options.name, "Bears alone count as"),
    effectsView(state, choice, cards, { played: options.play, given: options.give !== null }),
    dock(
      cards.length > 0 ? verdictView(state, choice, cards, open) : unchosenView(options, choice),
      h(
        "div",
        { class: "act__buttons", id: "turn-buttons" },
        open.length > 0 && choice.verdict?.ok && button(`Choose for the ${open[0]}`, "next-choice", { class: "btn btn--primary" }),
        options.play && !(open.length > 0 && choice.verdict?.ok) && button(cards.length ? `Play ${counted(cards.length, "card")}` : "Play", "play", { class: "btn btn--primary", disabled: !choice.verdict?.ok }),
        options.give && button(`Give ${counted(options.give.cards, "card")} …`, "start-give", { class: mayGive && !options.play ? "btn btn--primary" : "btn", disabled: !mayGive }),
        cards.length > 0 && button("✕", "clear", { class: "icon-btn", "aria-label": "Clear the choice", title: "Clear the choice" }),
      ),
    ),
    choice.showPlays && options.plays && playsView(options),
  ];
}

function stealView(state, choice) {
  const { take, from } = state.options.steal;
  const left = take - stealTotal(choice);
  return [
    head("Your hand is empty: steal.", `Take ${counted(take, "card")} in all; which ones is up to chance.`),
    h(
      "div",
      { class: "steal" },
      Object.entries(from).map(([seat, held]) => {
        const chosen = choice.steal[seat] ?? 0;
        const name = state.seats[seat].name;
        return h(
          "div",
          { class: "steal__row", role: "group", "aria-label": `From ${name}`, id: `steal-${seat}` },
          h("span", { class: "steal__name" }, h("b", { class: "name" }, name), h("span", { class: "muted" }, `holds ${held}`)),
          button("−", "steal-less", { id: `steal-less-${seat}`, class: "step", "data-seat": seat, "aria-label": `One card less from ${name}`, disabled: chosen === 0 }),
          h("output", {}, String(chosen)),
          button("+", "steal-more", { id: `steal-more-${seat}`, class: "step", "data-seat": seat, "aria-label": `One card more from ${name}`, disabled: left === 0 || chosen === held }),
        );
      }),
    ),
    dock(h("div", { class: "act__buttons" }, button(left ? `${counted(left, "card")} still to choose` : `Steal ${counted(take, "card")}`, "steal", { class: "btn btn--primary", disabled: left !== 0 }))),
  ];
}

function forceBearView(state, choice) {
  const chosen = forceBearAction(state, choice);
  return [
    head("Your set survived, but you hold a bear.", "Put one bear down instead of it; your turn is then over."),
    !chosen && h("p", { class: "verdict", id: "verdict" }, "Choose the bear in your hand."),
    chosen && state.options.name?.length > 0 && namingView(choice, state.options.name, "It counts as"),
    dock(h("div", { class: "act__buttons" }, button(chosen ? `Put down ${spoken(chosen.card)}` : "Put a bear down", "force-bear", { class: "btn btn--primary", disabled: !chosen }))),
  ];
}

function respondView(state, choice) {
  const { for: animal, to, cards } = state.options.respond;
  const [chosen] = chosenEntries(state, choice);
  const name = state.seats[to].name;
  const allowed = chosen && cards.includes(chosen.card);
  const wanted = animal === "bison" ? head("The bison asks for a bear.", `Choose the bear that ${name} gets.`) : head("The turtle asks for a card back.", `Choose the card that ${name} gets: any but turtle ${state.view.waiting.number}.`);
  return [
    wanted,
    dock(
      chosen && !allowed && h("p", { class: "verdict verdict--no", id: "verdict" }, h("b", { "aria-hidden": "true" }, "✕ "), `Not the ${spoken(chosen.card)}: choose ${listed(cards.map(spoken), "or")}.`),
      h("div", { class: "act__buttons" }, button(allowed ? `Give back ${spoken(chosen.card)}` : "Give back", "respond", { class: "btn btn--primary", disabled: !allowed })),
    ),
  ];
}

/** Return the parts of the action area for a seat that plays. */
export function actionsView(state, choice, sending) {
  if (sending) return [h("p", { class: "act__head", id: "sending" }, h("b", {}, "Sent."), " Waiting for the server to store it …")];
  if (!isMyTurn(state)) {
    const chosen = chosenEntries(state, choice).map(({ card }) => card);
    const waiting = state.view.out.includes(state.seat) ? "You are out of this game." : (actingWords(state) || "One moment");
    return [h("p", { class: "act__head act__head--calm" }, waiting), chosen.length > 0 && h("p", { class: "verdict", id: "verdict" }, `Chosen: ${inWords(chosen)}.`)];
  }
  const { options } = state;
  if (options.respond) return respondView(state, choice);
  if (options.force_bear) return forceBearView(state, choice);
  if (options.steal) return stealView(state, choice);
  return turnView(state, choice);
}

/** Return which cards of the hand a bear's number blocks. */
export function blockedNumbers(hand) {
  return new Set(hand.map(parse).filter(({ animal }) => animal === BEAR).map(({ number }) => number));
}

export function handWords(hand) {
  const bears = hand.filter((card) => parse(card).animal === BEAR).length;
  return [counted(hand.length, "card"), bears ? animals(bears, BEAR) : ""].filter(Boolean).join(" · ");
}
