// Shows the settings of this installation in the places of the published ones, and what an installation may have or not have.
"use strict";

(async () => {
  const answer = await fetch("/docs/settings.json");
  const settings = (await answer.json())[document.documentElement.lang];
  for (const place of document.querySelectorAll("[data-setting]")) place.textContent = settings[place.dataset.setting] ?? "";
  for (const part of document.querySelectorAll("[data-with]")) part.hidden = !(part.dataset.with in settings);
})();
