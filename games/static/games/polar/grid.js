// The grid: one button a place, made once. A change touches only the places that differ.
import { h, listed } from "../elements.js";
import { differing, drawing, fits, spoken } from "./cards.js";

const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const SIGN_MS = 1600;

export class Grid {
  /** ``take(place)`` is called for the place that somebody taps, clicks, or presses Enter or space on. */
  constructor(container, take) {
    this.container = container;
    this.columns = 0;
    this.cells = [];
    // A mouse acts when the button goes down; a finger when it lifts, so that scrolling takes no card.
    container.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button === 0) this.chosen(event, take);
    });
    container.addEventListener("click", (event) => {
      if (event.pointerType !== "mouse" || event.detail === 0) this.chosen(event, take);
    });
    container.addEventListener("keydown", (event) => this.moved(event));
  }

  chosen(event, take) {
    const cell = this.cells.find(({ button }) => button.contains(event.target));
    if (!cell) return;
    this.hold(cell.place);
    take(cell.place);
  }

  moved(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.cells.length / this.columns;
    const row = (Math.floor(this.place / this.columns) + step[0] + rows) % rows;
    const column = ((this.place % this.columns) + step[1] + this.columns) % this.columns;
    this.hold(row * this.columns + column);
    this.focus();
    event.preventDefault();
  }

  /** Make ``place`` the one that the tab key reaches. */
  hold(place) {
    this.cells[this.place].button.tabIndex = -1;
    this.place = place;
    this.cells[place].button.tabIndex = 0;
  }

  focus() {
    this.cells[this.place].button.focus();
  }

  /** Show ``cards`` (null: an empty place); ``open``: may they be taken? ``hint``: {top, restricted} for beginners, or null. */
  show({ cards, columns, open, hint }) {
    if (this.cells.length !== cards.length) this.build(cards.length, columns);
    if (this.open !== open) this.container.classList.toggle("is-open", open);
    this.open = open;
    const wanted = hint && `${hint.top}${hint.restricted}`;
    for (const cell of this.cells) {
      const card = cards[cell.place];
      if (cell.card === card && cell.hint === wanted) continue;
      if (cell.card !== card) cell.button.replaceChildren(card === null ? "" : drawing(card));
      else cell.button.querySelector(".pb-hint")?.remove();
      if (cell.card !== card) cell.button.classList.remove("is-taken-back");
      cell.card = card;
      cell.hint = wanted;
      cell.button.classList.toggle("is-empty", card === null);
      cell.button.setAttribute("aria-disabled", card === null ? "true" : "false");
      cell.button.setAttribute("aria-label", this.label(cell.place, card, hint));
      if (card !== null && hint) cell.button.append(badge(card, hint));
    }
  }

  label(place, card, hint) {
    const where = `Row ${Math.floor(place / this.columns) + 1}, column ${(place % this.columns) + 1}: `;
    if (card === null) return `${where}empty`;
    return where + spoken(card) + (hint ? `; ${difference(card, hint)}` : "");
  }

  build(places, columns) {
    this.columns = columns;
    this.place = 0;
    this.cells = Array.from({ length: places }, (_, place) => ({
      place,
      button: h("button", { type: "button", class: "pb-cell", role: "gridcell", id: `place-${place}`, tabindex: place === 0 ? "0" : "-1" }),
    }));
    const rows = Array.from({ length: places / columns }, (_, row) => h("div", { class: "pb-row", role: "row" }, this.cells.slice(row * columns, (row + 1) * columns).map(({ button }) => button)));
    this.container.style.setProperty("--columns", columns);
    this.container.style.setProperty("--rows", places / columns);
    this.container.replaceChildren(...rows);
  }

  /** Mark for a moment a place whose card was not ours after all. */
  takenBack(place) {
    const { button } = this.cells[place];
    button.classList.add("is-taken-back");
    setTimeout(() => button.classList.remove("is-taken-back"), SIGN_MS);
  }
}

function difference(card, { top, restricted }) {
  if (fits(card, top, restricted)) return "fits";
  const names = differing(card, top);
  return names.length ? `differs in ${listed(names)}` : "identical, not allowed this round";
}

function badge(card, hint) {
  const good = fits(card, hint.top, hint.restricted);
  return h("span", { class: `pb-hint ${good ? "pb-hint--fits" : ""}`, "aria-hidden": "true", title: difference(card, hint) }, good ? "✓" : String(differing(card, hint.top).length || "="));
}
