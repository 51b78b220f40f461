import * as Plot from "@observablehq/plot";
import { type Chart, type Drawn, drawn } from "./chart.ts";
import { barsOf, colours, groupsOf, look, names, scaled, spoken, valueAxis, widest } from "./look.ts";

// Bars that are too thin to be named one by one.
export const crowded = (chart: Chart) => new Set(drawn(chart).map((d) => JSON.stringify([d.group, d.bar]))).size > 160;

const longestBar = 3; // what is longer is cut, and says so: it would leave no room for the others

// How long each bar is.
function totals(data: Drawn[]): { group: string; bar: string; value: number }[] {
  const all = new Map<string, { group: string; bar: string; value: number }>();
  for (const { group, bar = "", value } of data) {
    const place = JSON.stringify([group, bar]), found = all.get(place);
    if (found) found.value += value;
    else all.set(place, { group, bar, value });
  }
  return [...all.values()];
}

// On a phone the name of a group stands above its bars, else beside them.
export function stackChart(chart: Chart, width: number) {
  const data = drawn(chart), scale = scaled(chart);
  const groups = groupsOf(data), bars = barsOf(data), series = names(chart);
  const many = crowded(chart), narrow = width < 560;
  const group = narrow ? 0 : Math.min(width * 0.22, 10 + widest(groups));
  const label = many ? (narrow ? 4 : 0) : Math.min(width * 0.26, 10 + widest(bars));
  const between = narrow ? 22 : 10, whole = bars.length * (many ? 8 : 15) + between;
  const percent = chart.unit === "share", sums = totals(data), longest = Math.max(...sums.map((each) => each.value));
  const cut = longest > longestBar ? longestBar : longest;
  return Plot.plot({
    width, style: look,
    height: 70 + groups.length * whole,
    marginLeft: group + label,
    marginRight: percent ? 16 : 50,
    marginTop: narrow ? 30 : undefined,
    marginBottom: 44,
    x: { ...valueAxis(chart), domain: percent ? [0, 100] : [0, cut] },
    y: { label: null, domain: bars, padding: 0.12, axis: many ? null : "left", tickSize: 0 },
    fy: { label: null, domain: groups, axis: null, padding: between / whole },
    color: colours(chart),
    marks: [
      Plot.text(groups, {
        fontWeight: "bold", frameAnchor: narrow ? "top-left" : "left", fy: (each) => each, text: (each) => each,
        textAnchor: narrow ? "start" : "end", dx: narrow ? -label : -label - 6, dy: narrow ? -14 : 0, fill: "currentColor",
      }),
      Plot.barX(data, {
        x: (d) => scale(d.value), y: "bar", fy: "group", fill: (d: Drawn) => series[d.series], order: series, clip: cut < longest, ...spoken(chart),
      }),
      percent ? null : Plot.text(sums, {
        x: (d) => Math.min(d.value, cut), y: "bar", fy: "group", text: (d) => (d.value > cut ? "→ " : "") + d.value.toFixed(2), textAnchor: "start", dx: 4, fontSize: 10, fill: "currentColor", stroke: "var(--paper)", strokeWidth: 3,
      }),
      Plot.ruleX(percent ? [] : [1], { stroke: "currentColor", strokeDasharray: "2,2" }),
    ],
  });
}
