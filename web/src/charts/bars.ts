import * as Plot from "@observablehq/plot";
import { type Chart, type Drawn, drawn, valueText } from "./chart.ts";
import { colours, groupsOf, look, names, scaled, spoken, valueAxis, widest } from "./look.ts";

// A mean over fewer workloads than the others says so.
const label = (chart: Chart, d: Drawn) =>
  valueText(chart, d.value) + (d.group === "mean" && d.note ? ` (${d.note})` : "");

export function barsChart(chart: Chart, width: number) {
  // The yardstick is a line, not a bar without length.
  const yardstick = chart.yardstick && chart.series.length > 1;
  const data = drawn(chart).filter((d) => !yardstick || d.series > 0);
  const scale = scaled(chart);
  const groups = groupsOf(data), bars = names(chart).slice(yardstick ? 1 : 0);
  const name = (d: Drawn) => chart.series[d.series].name;
  const bar = groups.length * bars.length > 40 ? 12 : 15;
  // A label stands at the end of its bar, on the side it points to.
  const labels = (towards: "start" | "end") => Plot.text(data.filter((d) => (scale(d.value) < chart.from) === (towards === "end")), {
    x: (d) => scale(d.value), y: name, fy: "group", text: (d) => label(chart, d),
    textAnchor: towards, dx: towards === "start" ? 4 : -4, fontSize: 10, fill: "currentColor",
  });
  const toTheLeft = data.some((d) => scale(d.value) < chart.from);
  return Plot.plot({
    width, style: look,
    height: 70 + groups.length * (bars.length * bar + 8),
    marginLeft: Math.min(width * 0.3, 10 + widest(groups)),
    marginRight: 58,
    marginBottom: 44,
    x: { ...valueAxis({ ...chart, data }), insetLeft: toTheLeft ? 36 : 0 },
    y: { axis: null, domain: bars, padding: 0.12 },
    fy: { label: null, domain: groups, padding: 0.1 },
    color: colours(chart),
    marks: [
      Plot.axisFy({ anchor: "left", label: null, textAnchor: "end", frameAnchor: "left", dx: -6 }),
      Plot.ruleX([chart.from], { stroke: "currentColor", strokeOpacity: 0.6 }),
      Plot.barX(data, { x1: chart.from, x2: (d) => scale(d.value), y: name, fy: "group", fill: name, ...spoken(chart) }),
      labels("start"), labels("end"),
    ],
  });
}
