// What the drawings share.
import { css } from "../shared/colours.ts";
import { unique } from "../shared/numbers.ts";
import { type Chart, type Drawn, drawn, valueText, xText } from "./chart.ts";

export const look = { fontSize: "11px" }; // of axes and labels
export const widest = (texts: string[]) => 7 * Math.max(...texts.map((text) => text.length));
export const names = (chart: Chart) => chart.series.map((series) => series.name);
export const groupsOf = (data: Drawn[]) => unique(data.map((d) => d.group));
export const barsOf = (data: Drawn[]) => unique(data.map((d) => d.bar ?? ""));
export const scaled = (chart: Chart) => (chart.unit === "share" ? (value: number) => 100 * value : (value: number) => value);
export const colours = (chart: Chart) => ({ domain: names(chart), range: chart.series.map((series) => css(series.colour)) });

// What is shown on hover, and read out.
export function words(chart: Chart, d: Drawn): string {
  const x = d.x === undefined ? "" : `${chart.groups}: ${xText(d.x)}`;
  const where = [d.group, d.bar, x, chart.series[d.series].name].filter((word) => word).join(", ");
  return `${where}: ${valueText(chart, d.value)}${d.note ? ` (${d.note})` : ""}`;
}

export const spoken = (chart: Chart) => ({
  title: (d: Drawn) => words(chart, d), ariaLabel: (d: Drawn) => words(chart, d), tip: { fill: "var(--paper)" },
});

// Where shares are all small, 100 % would leave nothing to see.
export function highest(chart: Chart): number {
  const most = Math.max(...drawn(chart).map((d) => d.value));
  return [0.01, 0.02, 0.05, 0.1, 0.25].find((each) => most <= each) ?? Math.max(1, most);
}

// Ratios have a tenth on each side at least, so that noise does not look like an effect.
export function ratioRange(values: number[]): [number, number] {
  return [Math.min(0.9, ...values), Math.max(1.1, ...values)];
}

export const valueAxis = (chart: Chart) => ({
  label: chart.values, grid: true, labelAnchor: "center" as const, labelArrow: "none" as const, nice: true,
  zero: chart.from === 0,
  domain: chart.unit === "share" ? [0, 100 * highest(chart)] : chart.from === 1 ? ratioRange(drawn(chart).map((d) => d.value)) : undefined,
});
