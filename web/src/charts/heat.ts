import * as Plot from "@observablehq/plot";
import { type Chart, type Drawn, drawn } from "./chart.ts";
import { highest, look, names, spoken, widest } from "./look.ts";

// How strongly a field is shaded, and towards which colour.
export function shade(chart: Chart, value: number): string {
  const against = chart.from === 1;
  const towards = against && value < 1 ? "less" : "more";
  const part = against ? Math.min(1, Math.abs(Math.log2(Math.max(value, 0.01)))) ** 0.8 : Math.min(1, value / highest(chart));
  return `color-mix(in srgb, var(--${towards}) ${Math.round(62 * part)}%, var(--paper))`;
}

const gap = "\u200b"; // a row without a name, between classes and below the means

function rowsOf(data: Drawn[]): string[] {
  const rows: string[] = [];
  let before: Drawn | undefined;
  for (const d of data) {
    if (before && (d.bar !== before.bar || (before.group === "mean" && d.group !== "mean"))) rows.push(gap);
    before = d;
    if (!rows.includes(d.group)) rows.push(d.group);
  }
  return rows;
}

function fieldText(chart: Chart, d: Drawn): string {
  if (chart.unit !== "share") return d.value.toFixed(2);
  return (100 * d.value).toFixed(highest(chart) < 0.1 ? 1 : 0);
}

export function heatChart(chart: Chart, width: number) {
  const data = drawn(chart), series = names(chart), rows = rowsOf(data);
  const left = Math.min(width * 0.3, 10 + widest(rows)), top = 14 + 0.9 * widest(series);
  const roomForText = (width - left - 8) / series.length >= 30;
  const place = { x: (d: Drawn) => series[d.series], y: "group" };
  return Plot.plot({
    width, style: look,
    height: top + 8 + 17 * rows.length,
    marginLeft: left, marginTop: top, marginRight: 8, marginBottom: 8,
    x: { domain: series, axis: null, padding: 0.04 },
    y: { domain: rows, label: null, tickSize: 0, padding: 0.06, tickFormat: (row: string) => (row === gap ? "" : row) },
    marks: [
      Plot.axisX({ anchor: "top", label: null, tickSize: 0, tickRotate: -90 }),
      Plot.cell(data, {
        ...place, fill: (d: Drawn) => shade(chart, d.value), stroke: (d: Drawn) => (d.best ? "currentColor" : "none"),
        strokeWidth: 1.5, ...spoken(chart),
      }),
      roomForText ? Plot.text(data, {
        ...place, text: (d) => fieldText(chart, d), fontSize: 10, fill: "currentColor", pointerEvents: "none",
      }) : null,
    ],
  });
}
