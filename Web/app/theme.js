const STORED = "beaconmon-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Returns "light" or "dark": the chosen theme, or that of the system. */
export function theme() {
  return localStorage.getItem(STORED) ?? (dark.matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** Changes to the other theme. That of the system is not stored, so that the page follows it again. */
export function toggleTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  if (next === (dark.matches ? "dark" : "light")) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, next);
  applyTheme();
}

export function whenThemeChanges(handler) {
  dark.addEventListener("change", () => {
    applyTheme();
    handler();
  });
}

let probe = null;

/** Returns the colour of a custom property of the style sheet, for a canvas. */
export function colour(name) {
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
