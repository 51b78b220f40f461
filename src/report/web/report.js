// Draws the charts of the report from the JSON that the page carries. The page is complete without it: every number
// is in a table below its chart.
import * as Plot from "@observablehq/plot";

const charts = JSON.parse(document.getElementById("charts").textContent);
const colour = (series) => `var(--${series.colour})`;

// What is shown on hover, and read out.
const words = (chart, d) =>
  [d.group, d.bar, d.x !== undefined ? `${chart.groups}: ${d.x}` : undefined, chart.series[d.series].name]
    .filter((word) => word)
    .join(", ") + `: ${d.text}` + (d.note ? ` (${d.note})` : "");

const scaled = (chart) => (chart.percent ? (value) => 100 * value : (value) => value);
const look = { fontSize: "11px" };  // of axes and labels
const widest = (texts) => 7 * Math.max(...texts.map((text) => text.length));
const unique = (values) => [...new Set(values)];

// Where shares are all small, 100 % would leave nothing to see.
function highest(chart) {
  const most = Math.max(...chart.data.map((d) => d.value));
  return [0.01, 0.02, 0.05, 0.1, 0.25].find((each) => most <= each) ?? Math.max(1, most);
}

function valueAxis(chart) {
  const axis = { label: chart.values, grid: true, labelAnchor: "center", labelArrow: "none", nice: true, zero: chart.from === 0 };
  if (chart.percent) axis.domain = [0, 100 * highest(chart)];
  return axis;
}

function barsChart(whole, width) {
  // The yardstick is a line, not a bar without length.
  const yardstick = whole.yardstick && whole.series.length > 1;
  const chart = yardstick ? { ...whole, data: whole.data.filter((d) => d.series > 0) } : whole;
  const scale = scaled(chart);
  const groups = unique(chart.data.map((d) => d.group));
  const names = chart.series.slice(yardstick ? 1 : 0).map((series) => series.name);
  const name = (d) => chart.series[d.series].name;
  const many = chart.data.length > 90;
  const bar = many ? 8 : groups.length * names.length > 40 ? 12 : 15;
  const left = Math.min(width * 0.3, 10 + widest(groups));
  return Plot.plot({
    width, style: look,
    height: 70 + groups.length * (names.length * bar + 8),
    marginLeft: left,
    marginRight: 58,
    marginBottom: 44,
    x: valueAxis(chart),
    y: { axis: null, domain: names, padding: 0.12 },
    fy: { label: null, domain: groups, padding: 0.1 },
    color: { domain: chart.series.map((series) => series.name), range: chart.series.map(colour) },
    marks: [
      Plot.axisFy({ anchor: "left", label: null, textAnchor: "end", frameAnchor: "left", dx: -6 }),
      Plot.ruleX([chart.from], { stroke: "currentColor", strokeOpacity: 0.6 }),
      Plot.barX(chart.data, {
        x1: chart.from, x2: (d) => scale(d.value), y: name, fy: "group", fill: name,
        title: (d) => words(chart, d), ariaLabel: (d) => words(chart, d), tip: { fill: "var(--paper)" },
      }),
      ...(many ? [] : [
        Plot.text(chart.data, {
          x: (d) => Math.max(chart.from, scale(d.value)), y: name, fy: "group", text: (d) => (d.group === "mean" && d.note ? `${d.text} (${d.note})` : d.text), textAnchor: "start", dx: 4,
          fontSize: 10, fill: "currentColor",
        }),
      ]),
    ],
  });
}

// Bars that are too thin to be named one by one.
const crowded = (chart) => new Set(chart.data.map((d) => `${d.group}/${d.bar}`)).size > 160;

// On a phone the name of a group stands above its bars, else beside them.
function stackChart(chart, width) {
  const scale = scaled(chart);
  const groups = unique(chart.data.map((d) => d.group));
  const bars = unique(chart.data.map((d) => d.bar));
  const names = chart.series.map((series) => series.name);
  const many = crowded(chart), narrow = width < 560;
  const group = narrow ? 0 : Math.min(width * 0.22, 10 + widest(groups));
  const label = many ? (narrow ? 4 : 0) : Math.min(width * 0.26, 10 + widest(bars));
  const between = narrow ? 22 : 10, whole = bars.length * (many ? 8 : 15) + between;
  const title = { fontWeight: "bold", frameAnchor: narrow ? "top-left" : "left" };
  return Plot.plot({
    width, style: look,
    height: 70 + groups.length * whole,
    marginLeft: group + label,
    marginRight: 16,
    marginTop: narrow ? 30 : undefined,
    marginBottom: 44,
    x: { ...valueAxis(chart), domain: chart.percent ? [0, 100] : undefined },
    y: { label: null, domain: bars, padding: 0.12, axis: many ? null : "left", tickSize: 0 },
    fy: { label: null, domain: groups, axis: null, padding: between / whole },
    color: { domain: names, range: chart.series.map(colour) },
    marks: [
      Plot.text(groups, {
        ...title, fy: (each) => each, text: (each) => each, textAnchor: narrow ? "start" : "end",
        dx: narrow ? -label : -label - 6, dy: narrow ? -14 : 0, fill: "currentColor",
      }),
      Plot.barX(chart.data, {
        x: (d) => scale(d.value), y: "bar", fy: "group", fill: (d) => names[d.series], order: names,
        title: (d) => words(chart, d), ariaLabel: (d) => words(chart, d), tip: { fill: "var(--paper)" },
      }),
      Plot.ruleX(chart.percent ? [] : [1], { stroke: "currentColor", strokeDasharray: "2,2" }),
    ],
  });
}

// How strongly a field of a heat chart is shaded, and towards which colour.
function shade(chart, value) {
  const [towards, part] = chart.from === 1
    ? [value < 1 ? "less" : "more", Math.min(1, Math.abs(Math.log2(Math.max(value, 0.01)))) ** 0.8]
    : ["more", Math.min(1, value / highest(chart))];
  return `color-mix(in srgb, var(--${towards}) ${Math.round(62 * part)}%, var(--paper))`;
}

function heatChart(chart, width) {
  const names = chart.series.map((series) => series.name);
  const rows = [];
  let before;
  for (const d of chart.data) {
    const parted = before !== undefined && (d.bar !== before.bar || (before.group === "mean" && d.group !== "mean"));
    if (parted) rows.push("\u200b");  // a gap between classes, and below the means
    before = d;
    if (!rows.includes(d.group)) rows.push(d.group);
  }
  const left = Math.min(width * 0.3, 10 + widest(rows));
  const top = 14 + 0.9 * widest(names);
  const field = (width - left - 8) / names.length;
  const place = { x: (d) => names[d.series], y: "group" };
  return Plot.plot({
    width, style: look,
    height: top + 8 + 17 * rows.length,
    marginLeft: left, marginTop: top, marginRight: 8, marginBottom: 8,
    x: { domain: names, axis: null, padding: 0.04 },
    y: { domain: rows, label: null, tickSize: 0, padding: 0.06, tickFormat: (row) => (row === "\u200b" ? "" : row) },
    marks: [
      Plot.axisX({ anchor: "top", label: null, tickSize: 0, tickRotate: -90 }),
      Plot.cell(chart.data, {
        ...place, fill: (d) => shade(chart, d.value), stroke: (d) => (d.best ? "currentColor" : "none"), strokeWidth: 1.5,
        title: (d) => words(chart, d), ariaLabel: (d) => words(chart, d), tip: { fill: "var(--paper)" },
      }),
      ...(field < 30 ? [] : [
        Plot.text(chart.data, {
          ...place, text: (d) => (chart.percent ? (100 * d.value).toFixed(highest(chart) < 0.1 ? 1 : 0) : d.value.toFixed(2)), fontSize: 10, fill: "currentColor",
          pointerEvents: "none",
        }),
      ]),
    ],
  });
}

// What the shades mean.
function ramp(chart) {
  const list = document.createElement("ul");
  list.className = "legend";
  const steps = chart.from === 1 ? [0.5, 0.7, 0.9, 1, 1.1, 1.4, 2] : [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest(chart));
  for (const value of steps) {
    const item = document.createElement("li");
    const key = document.createElement("span");
    key.className = "key framed";
    key.style.background = shade(chart, value);
    const end = chart.from === 1 && (value === 0.5 ? " or less" : value === 2 ? " or more" : "");
    item.append(key, (chart.percent ? `${Number((100 * value).toPrecision(3))} %` : value) + (end || ""));
    list.append(item);
  }
  const axis = document.createElement("li");
  axis.className = "soft axis";
  axis.textContent = chart.values;
  list.append(axis);
  return [list];
}

// Where a curve is nearly flat, the axis keeps a tenth of its height, so that noise does not look like an effect.
function curveRange(values) {
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  return [Math.min(...values, 0.95 * middle), Math.max(...values, 1.05 * middle)];
}

function linesChart(chart, width) {
  const scale = scaled(chart);
  const names = chart.series.map((series) => series.name);
  const options = { x: "x", y: (d) => scale(d.value), stroke: (d) => names[d.series] };
  return Plot.plot({
    width, style: look,
    height: Math.min(380, 0.55 * width + 60),
    marginLeft: 52,
    marginBottom: 44,
    x: { type: "point", domain: unique(chart.data.map((d) => d.x)), label: chart.groups, labelAnchor: "center", labelArrow: "none" },
    y: { label: chart.values, grid: true, domain: curveRange(chart.data.map((d) => scale(d.value))), nice: true, labelArrow: "none" },
    color: { domain: names, range: chart.series.map(colour) },
    marks: [
      Plot.line(chart.data, { ...options, strokeWidth: 2 }),
      Plot.dot(chart.data, {
        ...options, fill: (d) => names[d.series], r: 4, title: (d) => words(chart, d),
        ariaLabel: (d) => words(chart, d), tip: { fill: "var(--paper)" },
      }),
    ],
  });
}

function legend(chart) {
  if (chart.kind === "heat") return ramp(chart);
  const list = document.createElement("ul");
  list.className = "legend";
  for (const series of chart.series) {
    const item = document.createElement("li");
    const key = document.createElement("span");
    key.className = `key ${series.colour}`;
    item.append(key, series.name);
    list.append(item);
  }
  if (chart.kind !== "stack" || !crowded(chart)) return [list];
  const order = document.createElement("p");
  order.className = "soft";
  order.textContent = `From top to bottom: ${unique(chart.data.map((d) => d.bar)).join(", ")}.`;
  return [list, order];
}

const drawers = { bars: barsChart, stack: stackChart, lines: linesChart, heat: heatChart };

function draw(chart, place) {
  const width = Math.floor(place.clientWidth);
  if (width < 50 || place.dataset.width === String(width)) return;
  place.dataset.width = String(width);
  const svg = drawers[chart.kind](chart, width);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${chart.title}. The numbers are in the table below.`);
  place.replaceChildren(...legend(chart), svg);
}

const places = new Map();
for (const chart of charts)
  for (const place of document.querySelectorAll(".chart")) if (place.dataset.chart === chart.id) places.set(place, chart);
const observer = new ResizeObserver((entries) => {
  for (const entry of entries) draw(places.get(entry.target), entry.target);
});
for (const [place, chart] of places) {
  draw(chart, place);
  observer.observe(place);
}

// On paper nobody can hover: the tables are opened.
const opened = [];
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("figure details:not([open])")) {
    details.open = true;
    opened.push(details);
  }
});
addEventListener("afterprint", () => {
  for (const details of opened.splice(0)) details.open = false;
});
document.documentElement.dataset.drawn = String(places.size);
