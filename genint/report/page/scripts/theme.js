// Light, dark, or as the system says; kept where the browser lets files keep anything.

import { byId } from "./dom.js";

const themeKey = "genint-colours";
const themes = ["system", "light", "dark"];
const themeWords = { system: "Colours: system", light: "Colours: light", dark: "Colours: dark" };

function keptTheme() {
  try {
    const found = localStorage.getItem(themeKey);
    return themes.includes(found) ? found : "system";
  } catch {
    return "system";
  }
}

function useTheme(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  byId("theme").textContent = themeWords[choice];
}

export function startTheme() {
  let choice = keptTheme();
  useTheme(choice);
  byId("theme").addEventListener("click", () => {
    choice = themes[(themes.indexOf(choice) + 1) % themes.length];
    useTheme(choice);
    try {
      localStorage.setItem(themeKey, choice);
    } catch {
      // not kept: then it holds for this visit
    }
  });
}
