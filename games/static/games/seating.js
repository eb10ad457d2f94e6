// The waiting room: random letters for one's part of the deal, and forms that send once and keep the page in place.
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

function fillSeeds() {
  for (const field of document.querySelectorAll("input[data-random]")) {
    if (field.value || field.dataset.filled) continue;
    field.value = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
    field.dataset.filled = "yes";
  }
}

document.addEventListener("DOMContentLoaded", () => {
  fillSeeds();
  document.body.addEventListener("htmx:afterSettle", fillSeeds);
});
