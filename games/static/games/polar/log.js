// What happened, the newest first. Lines are added, never drawn again.
import { h } from "../elements.js";
import { withCards } from "./cards.js";

const MOST_LINES = 300;

export class Log {
  constructor(container) {
    this.container = container;
    this.lines = 0;
  }

  /** Show ``lines``, which begin with those shown before, unless ``afresh``. */
  show(lines, afresh) {
    if (afresh) {
      this.container.replaceChildren();
      this.lines = Math.max(0, lines.length - MOST_LINES);
    }
    for (const line of lines.slice(this.lines)) {
      this.container.prepend(h("li", { value: line.n }, h("span", { class: "log__n", title: `Record ${line.n}` }, String(line.n)), h("span", {}, withCards(line.text))));
    }
    this.lines = lines.length;
    while (this.container.childElementCount > MOST_LINES) this.container.lastElementChild.remove();
  }
}
