// What the colours of a chart mean. A click on a name switches its series off and on.
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

export function legend(chart: Chart, hidden: Set<string>, toggle: (series: string) => void): HTMLElement[] {
  if (chart.kind === "heat") return [ramp(chart)];
  const items = chart.series.map((series, i) => {
    if (chart.yardstick && i === 0 && chart.series.length > 1) return h("li", {}, key(series.colour), `${series.name} (1)`);
    const shown = !hidden.has(series.name);
    const button = h("button", { type: "button", "aria-pressed": String(shown), title: shown ? "leave out" : "show again" }, key(series.colour), series.name);
    button.addEventListener("click", () => toggle(series.name));
    return h("li", {}, button);
  });
  const list = h("ul", { class: "legend" }, items);
  if (chart.kind !== "stack" || !crowded(chart)) return [list];
  return [list, h("p", { class: "soft" }, `From top to bottom: ${barsOf(drawn(chart)).join(", ")}.`)];
}
