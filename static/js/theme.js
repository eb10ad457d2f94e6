// Loaded first, so that the remembered theme is there before anything is painted.
(() => {
  const root = document.documentElement;
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage switched off: the system's choice holds
    }
  };
  const current = () => root.dataset.theme || (dark() ? "dark" : "light");
  const theme = remembered();
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  const label = (button) => {
    const other = current() === "dark" ? "light" : "dark";
    button.setAttribute("aria-label", `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours`;
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      label(button);
      button.addEventListener("click", () => {
        root.dataset.theme = current() === "dark" ? "light" : "dark";
        try {
          localStorage.setItem("theme", root.dataset.theme);
        } catch {
          // remembered for this page only
        }
        label(button);
      });
    }
  });
})();
