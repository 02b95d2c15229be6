// Light, dark, or as the system says.

import { byId } from "./dom.js";
import { keepChoice, keptChoice } from "./kept.js";

const themeKey = "genint-colours";
const themes = ["system", "light", "dark"];
const themeWords = { system: "Colours: system", light: "Colours: light", dark: "Colours: dark" };

function useTheme(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  byId("theme").textContent = themeWords[choice];
}

export function startTheme() {
  let choice = keptChoice(themeKey, themes);
  useTheme(choice);
  byId("theme").addEventListener("click", () => {
    choice = themes[(themes.indexOf(choice) + 1) % themes.length];
    useTheme(choice);
    keepChoice(themeKey, choice);
  });
}
