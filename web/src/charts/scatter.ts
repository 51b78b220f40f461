import * as Plot from "@observablehq/plot";
import { type Chart, type Drawn, drawn, valueText } from "./chart.ts";
import { colours, look, names, scaled } from "./look.ts";

const widestPlot = 640;

// Both axes show the same range, so that what is equal lies on the diagonal.
export function scatterRange(chart: Chart): [number, number] {
  if (chart.unit === "share") return [0, Math.max(1, ...drawn(chart).map((d) => d.value))];
  const values = drawn(chart).flatMap((d) => [d.value, d.x ?? d.value]).filter((value) => value > 0);
  return [Math.min(...values) / 1.5, Math.max(...values) * 1.5];
}

function wordsOf(chart: Chart, d: Drawn): string {
  const parts = [`${chart.values} ${valueText(chart, d.value)}`, `${chart.across} ${valueText(chart, d.x ?? 0)}`];
  return `${d.group}, ${d.bar}: ${parts.join(", ")}${d.note ? ` (${d.note})` : ""}`;
}

export function scatterChart(chart: Chart, room: number) {
  const width = Math.min(room, widestPlot), scale = scaled(chart), log = chart.unit === "count";
  const [least, most] = scatterRange(chart).map(scale), data = drawn(chart).filter((d) => !log || (d.value > 0 && (d.x ?? 0) > 0));
  const named = (what = "") => (chart.unit === "share" ? `${what}, %` : what);
  const name = (d: Drawn) => names(chart)[d.series];
  const place = { x: (d: Drawn) => scale(d.x ?? 0), y: (d: Drawn) => scale(d.value) };
  // The line of what is `times` too much.
  const line = (times: number, dash: string) =>
    Plot.line([[Math.max(least, least / times), Math.max(least, least * times)], [Math.min(most, most / times), Math.min(most, most * times)]],
      { stroke: "currentColor", strokeOpacity: 0.45, strokeDasharray: dash });
  const axis = { type: log ? "log" as const : "linear" as const, domain: [least, most], grid: true, labelArrow: "none" as const,
    ticks: Math.max(3, Math.floor(width / 110)), tickFormat: log ? "~s" : undefined };
  return Plot.plot({
    width, style: look, height: 0.9 * width,
    marginLeft: 52, marginBottom: 44, marginRight: 14,
    x: { ...axis, label: named(chart.across), labelAnchor: "center" },
    y: { ...axis, label: named(chart.values) },
    color: colours(chart),
    marks: [
      line(1, ""), ...(log ? [line(2, "5 4"), line(0.5, "5 4")] : []),
      Plot.dot(data, {
        ...place, fill: name, fillOpacity: 0.85, r: 4.5, stroke: "var(--paper)", strokeWidth: 0.7,
        title: (d: Drawn) => wordsOf(chart, d), ariaLabel: (d: Drawn) => wordsOf(chart, d), tip: { fill: "var(--paper)" },
      }),
      Plot.text(data.filter((d) => d.named), {
        ...place, text: "group", dy: -10, fontSize: 10, fill: "currentColor", stroke: "var(--paper)", strokeWidth: 3, pointerEvents: "none",
      }),
    ],
  });
}
