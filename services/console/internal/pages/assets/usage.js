// Draws the calls and rows of the table beside it: the table is the source.
"use strict";

const figure = document.querySelector("[data-chart]");
if (figure) draw(figure, read(document.getElementById(figure.dataset.chart)));

function read(table) {
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
  const columns = heads.map((_, i) => rows.map((row) => Number(row.cells[i + 1].querySelector("data").value)));
  const times = rows.map((row) => new Date(row.cells[0].querySelector("time").dateTime).getTime() / 1000);
  return { times, heads, columns };
}

function draw(place, { times, heads, columns }) {
  const [succeeded, refused, failed, rows] = columns;
  const sum = (...parts) => times.map((_, i) => parts.reduce((total, part) => total + part[i], 0));
  // Bars are stacked: the tallest is drawn first.
  const data = [times, sum(succeeded, refused, failed), sum(refused, failed), failed, rows];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" });
  const numbers = (_, values) => values.map((value) => (Number.isInteger(value) ? number.format(value) : ""));
  const half = (times[1] - times[0]) / 2;
  let chart = null;
  const build = () => {
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
    const bars = uPlot.paths.bars({ size: [0.7, 40] });
    const bar = (label, name) => ({
      label, scale: "calls", fill: colour(name), stroke: colour(name), width: 0, paths: bars, points: { show: false },
    });
    chart?.destroy();
    chart = new uPlot({
      width: place.clientWidth, height: 300,
      legend: { show: false }, cursor: { show: false },
      scales: {
        x: { range: (_, low, high) => [low - half, high + half] }, // bars stand around their times
        calls: { range: (_, low, high) => [0, Math.max(high, 1) * 1.05] },
        rows: { range: (_, low, high) => [0, Math.max(high, 1) * 1.05] },
      },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((at) => tickTime(at, times)) },
        { ...axis, scale: "calls", label: place.dataset.calls, labelFont: "12px system-ui", labelSize: 18, size: 52, values: numbers },
        { ...axis, scale: "rows", side: 1, grid: { show: false }, label: place.dataset.rows, labelFont: "12px system-ui", labelSize: 18, size: 56, values: numbers },
      ],
      series: [
        {},
        bar(heads[0], "--bar-good"), bar(heads[1], "--bar-warn"), bar(heads[2], "--bar-bad"),
        { label: heads[3], scale: "rows", stroke: colour("--link"), width: 1.5, points: { show: false } },
      ],
    }, data, place);
  };
  place.append(legend(heads));
  build();
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: 300 })).observe(place);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
}

function tickTime(at, times) {
  const long = times[times.length - 1] - times[0] > 2 * 24 * 60 * 60;
  const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const time = new Date(at * 1000);
  if (long) return time.toLocaleDateString(locale, { month: "short", day: "numeric" });
  return time.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

function legend(heads) {
  const list = document.createElement("ul");
  list.className = "legend";
  list.append(...heads.map((head, i) => {
    const item = document.createElement("li");
    item.className = ["good", "warn", "bad", "line"][i];
    item.textContent = head;
    return item;
  }));
  return list;
}
