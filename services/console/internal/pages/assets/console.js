// Times in the reader's zone, copying, the countdown of what is secret, printing. Pages work without it but for these.
"use strict";

const language = document.documentElement.lang;
const day = 24 * 60 * 60 * 1000;
const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

// Today 14:05, yesterday with its name, then the day, then the year too; on sheets for paper always the day. The UTC stays in the title.
function shortTime(at, full) {
  const clock = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = Math.round((midnight(new Date()) - midnight(at)) / day);
  if (!full && days === 0) return clock;
  if (!full && (days === 1 || days === -1)) {
    return `${new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day")} ${clock}`;
  }
  const locale = language === "en" ? "en-GB" : language;
  if (at.getFullYear() === new Date().getFullYear()) {
    return `${at.toLocaleDateString(locale, { month: "short", day: "numeric" })} ${clock}`;
  }
  return at.toLocaleDateString(locale, { year: "numeric", month: "short", day: "numeric" });
}

for (const time of document.querySelectorAll("time")) {
  time.textContent = shortTime(new Date(time.dateTime), time.closest("[data-full]"));
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy.replace("{key}", () => document.getElementById("secret").textContent));
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); // a narrow menu is cut off

const menu = document.querySelector(".person");
document.addEventListener("click", (event) => {
  if (menu && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (menu && event.key === "Escape") menu.open = false;
});

// A secret leaves the page after a minute, also when the page was in the background, and is not kept for "back".
const secret = document.querySelector("[data-secret]");
if (secret) {
  const until = Date.now() + 60 * 1000;
  const left = secret.querySelector("[data-left]");
  const hide = () => {
    clearInterval(ticking);
    secret.querySelector("#secret").textContent = "••••••••••••";
    secret.querySelector(".bar").remove();
    secret.querySelector("[data-gone]").hidden = false;
  };
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    if (seconds <= 0) hide();
    else left.textContent = left.dataset.left.replace("%s", seconds);
  };
  const ticking = setInterval(tick, 250);
  tick();
  window.addEventListener("pagehide", hide, { once: true });
}
