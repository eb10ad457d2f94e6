// Making and changing parts of the page. Text is always text: nothing a player wrote is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use"]);

/** Return a new element; attributes that are null or false are left out, true ones are empty. */
export function h(tag, attributes, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") element.append(child);
  }
  return element;
}

/** Make ``container`` hold ``nodes``, keeping what is the same: focus, scroll positions and running animations stay. */
export function show(container, ...nodes) {
  const wanted = nodes.flat(Infinity).filter(Boolean);
  window.Idiomorph.morph(container, wanted, { morphStyle: "innerHTML", ignoreActiveValue: true });
}

const shownFrom = new WeakMap();

/** Make ``container`` hold what ``make`` returns, unless it was made from an equal ``key`` (any JSON) last time. */
export function showIfNew(container, key, make) {
  const text = JSON.stringify(key);
  if (shownFrom.get(container) === text) return;
  shownFrom.set(container, text);
  container.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
}

/** Return "a", "a and b" or "a, b and c". */
export function listed(words, and = "and") {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${and} ${words.at(-1)}`;
}

/** Return "1 card" or "3 cards". */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
