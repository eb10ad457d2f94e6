// Brackets open at the round that is played, unless the address asks for another one. Without this they open at the first.
document.addEventListener("DOMContentLoaded", () => {
  const asked = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (const bracket of document.querySelectorAll(".bracket")) {
    const current = bracket.querySelector(".column--current");
    if (!current || bracket.contains(asked)) continue;
    const before = current.getBoundingClientRect().left - bracket.getBoundingClientRect().left;
    if (bracket.scrollWidth > bracket.clientWidth && before > 0) bracket.scrollLeft += before;
  }
});

// The round that the address asks for is marked among the rounds of its bracket.
function mark() {
  const link = location.hash && [...document.querySelectorAll(".round-nav a")].find((each) => each.getAttribute("href") === location.hash);
  if (!link) return;
  for (const other of link.parentElement.children) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "step");
}
for (const event of ["DOMContentLoaded", "htmx:afterSettle"]) document.addEventListener(event, mark);
window.addEventListener("hashchange", mark);
