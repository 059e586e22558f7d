// Search, tabs for programs, and the address of the host that serves the page in its examples. Everything comes from this host.
"use strict";

for (const code of document.querySelectorAll("main code")) {
  if (code.textContent.includes("https://seller-api.example")) {
    code.textContent = code.textContent.replaceAll("https://seller-api.example", window.location.origin);
  }
}

const field = document.getElementById("search");
const found = document.getElementById("found");
let index = null; // asked for when someone searches

// Names are found however their parts are joined: collect_done, collect-done, collectDone.
const joined = (text) => text.toLowerCase().replace(/[_-]/g, "");

// What a word may be called otherwise: every word of the groups that one begins with.
function meanings(word, synonyms) {
  const words = new Set([word]);
  for (const group of synonyms) {
    if (group.map(joined).some((other) => other === word || (word.length > 1 && other.startsWith(word)))) {
      group.forEach((other) => words.add(joined(other)));
    }
  }
  return [...words];
}

function score(entry, words) {
  let sum = 0;
  for (const alternatives of words) {
    let best = 0;
    alternatives.forEach((word, i) => {
      const weight = i === 0 ? 2 : 1; // what was typed counts more than its synonyms
      if (joined(entry.title).includes(word)) best = Math.max(best, 10 * weight);
      else if (joined(entry.text).includes(word)) best = Math.max(best, weight);
    });
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function show(entries) {
  found.replaceChildren(...entries.map((entry) => {
    const link = document.createElement("a");
    link.href = entry.path;
    link.textContent = entry.title;
    const detail = document.createElement("small");
    detail.textContent = entry.text.slice(0, 110);
    link.append(detail);
    return link;
  }));
  if (entries.length === 0) {
    const none = document.createElement("p");
    none.textContent = found.dataset.none;
    found.append(none);
  }
  found.hidden = false;
}

async function search() {
  const typed = joined(field.value.trim());
  if (typed === "") {
    found.hidden = true;
    return;
  }
  index ??= await (await fetch(field.dataset.index)).json();
  const words = typed.split(/\s+/).map((word) => meanings(word, index.synonyms));
  const rated = index.entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
  rated.sort(([a], [b]) => b - a);
  show(rated.slice(0, 12).map(([, entry]) => entry));
}

field.addEventListener("input", search);
if (window.location.hash === "#search") field.focus(); // a link from the reference, which has no search of its own
document.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape") {
    found.hidden = true;
  } else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp") && links.length > 0) {
    event.preventDefault();
    const next = event.key === "ArrowDown" ? at + 1 : at - 1;
    (links[next] ?? (next < 0 ? field : links[at])).focus();
  } else if (event.key === "Enter" && document.activeElement === field && links.length > 0) {
    links[0].click();
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) found.hidden = true;
});

// Programs that do the same stand behind tabs, one for each language. All groups of all pages show the language that was chosen last.
const chosenName = "seller-open-api.language";
const groups = [...document.querySelectorAll(".programs")].map(tabbed);

// A browser may forbid to keep anything; then a choice holds for the page.
function kept() {
  try {
    return localStorage.getItem(chosenName);
  } catch {
    return null;
  }
}

function keep(language) {
  try {
    localStorage.setItem(chosenName, language);
  } catch {}
}

function tabbed(group, number) {
  const list = document.createElement("div");
  list.className = "tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", group.dataset.label);
  const panels = [...group.querySelectorAll(".program")];
  const tabs = panels.map((panel) => tabOf(panel, `program-${number}-${panel.dataset.language}`));
  list.append(...tabs);
  list.addEventListener("keydown", (event) => walk(event, tabs));
  group.prepend(list);
  group.classList.add("tabbed");
  return { tabs, panels };
}

function tabOf(panel, id) {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.id = id;
  tab.textContent = panel.querySelector(".language").textContent;
  tab.dataset.language = panel.dataset.language;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `${id}-code`);
  panel.id = `${id}-code`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", id);
  tab.addEventListener("click", () => choose(tab));
  return tab;
}

function select(language) {
  for (const { tabs, panels } of groups) {
    const at = Math.max(0, tabs.findIndex((tab) => tab.dataset.language === language));
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
      panels[i].hidden = i !== at;
    });
  }
}

// What was chosen stays where it is on the screen, whatever the groups above it have become.
function choose(tab) {
  const before = tab.getBoundingClientRect().top;
  select(tab.dataset.language);
  keep(tab.dataset.language);
  tab.focus();
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
}

function walk(event, tabs) {
  const at = tabs.indexOf(document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  choose(tabs[(to + tabs.length) % tabs.length]);
}

select(kept());
