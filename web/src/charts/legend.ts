// What the colours of a chart mean.
import { key } from "../shared/colours.ts";
import { h } from "../shared/dom.ts";
import { type Chart, drawn } from "./chart.ts";
import { shade } from "./heat.ts";
import { barsOf, highest } from "./look.ts";
import { crowded } from "./stack.ts";

function stepText(chart: Chart, value: number): string {
  if (chart.unit === "share") return `${Number((100 * value).toPrecision(3))} %`;
  const end = chart.from !== 1 ? "" : value === 0.5 ? " or less" : value === 2 ? " or more" : "";
  return value + end;
}

function ramp(chart: Chart): HTMLElement {
  const steps = chart.from === 1 ? [0.5, 0.7, 0.9, 1, 1.1, 1.4, 2] : [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest(chart));
  const items = steps.map((value) => {
    const square = h("span", { class: "key framed", style: `background: ${shade(chart, value)}` });
    return h("li", {}, square, stepText(chart, value));
  });
  return h("ul", { class: "legend" }, items, h("li", { class: "soft axis" }, chart.values));
}

export function legend(chart: Chart): HTMLElement[] {
  if (chart.kind === "heat") return [ramp(chart)];
  const list = h("ul", { class: "legend" },
    chart.series.map((series) => h("li", {}, key(series.colour), series.name)));
  if (chart.kind !== "stack" || !crowded(chart)) return [list];
  return [list, h("p", { class: "soft" }, `From top to bottom: ${barsOf(drawn(chart)).join(", ")}.`)];
}
