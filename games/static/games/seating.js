// The waiting room: random letters for one's part of the deal, and the link to invite with. Loaded before the page's body.
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

function fillSeeds() {
  for (const field of document.querySelectorAll("input[data-random]")) {
    if (field.value || field.dataset.filled) continue;
    field.value = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
    field.dataset.filled = "yes";
  }
}

// Whoever is quicker than the page's loading sends letters too.
document.addEventListener("submit", fillSeeds, true);
document.addEventListener("DOMContentLoaded", () => {
  fillSeeds();
  document.body.addEventListener("htmx:afterSettle", fillSeeds);
});

// Copies a link; where the browser does not let scripts do that (plain http), the link is selected to be copied by hand.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch {
    field.focus();
  }
});
