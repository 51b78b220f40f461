import * as Plot from "@observablehq/plot";
import { unique } from "../shared/numbers.ts";
import { type Chart, type Drawn, drawn, xText } from "./chart.ts";
import { colours, look, names, scaled, spoken } from "./look.ts";

// Where a curve is nearly flat, the axis keeps a tenth of its height, so that noise does not look like an effect.
export function curveRange(values: number[]): [number, number] {
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  return [Math.min(...values, 0.95 * middle), Math.max(...values, 1.05 * middle)];
}

export function linesChart(chart: Chart, width: number) {
  const data = drawn(chart), scale = scaled(chart), series = names(chart);
  const x = (d: Drawn) => xText(d.x ?? 0), name = (d: Drawn) => series[d.series];
  const options = { x, y: (d: Drawn) => scale(d.value), stroke: name };
  return Plot.plot({
    width, style: look,
    height: Math.min(380, 0.55 * width + 60),
    marginLeft: 52,
    marginBottom: 44,
    x: { type: "point", domain: unique(data.map(x)), label: chart.groups, labelAnchor: "center", labelArrow: "none" },
    y: { label: chart.values, grid: true, domain: curveRange(data.map((d) => scale(d.value))), nice: true, labelArrow: "none" },
    color: colours(chart),
    marks: [
      Plot.line(data, { ...options, strokeWidth: 2 }),
      Plot.dot(data, { ...options, fill: name, r: 4, ...spoken(chart) }),
    ],
  });
}
