// Charts are drawn as wide as their place, and again when that changes: also when what was folded is opened, or a series
// is switched off.
import { barsChart } from "./bars.ts";
import { type Chart, isEmpty, type Kind } from "./chart.ts";
import { heatChart } from "./heat.ts";
import { legend } from "./legend.ts";
import { linesChart } from "./lines.ts";
import { scatterChart } from "./scatter.ts";
import { stackChart } from "./stack.ts";
import { visible } from "./visible.ts";

type Drawer = (chart: Chart, width: number) => Element;
const drawers: Record<Kind, Drawer> = { bars: barsChart, stack: stackChart, lines: linesChart, scatter: scatterChart, heat: heatChart };

const narrowest = 50;

interface Place {
  chart: Chart;
  hidden: Set<string>; // series
  width: number; // as which it was drawn
}
const places = new Map<HTMLElement, Place>();

function draw(element: HTMLElement, place: Place): void {
  const shown = visible(place.chart, place.hidden);
  const toggle = (series: string) => {
    if (!place.hidden.delete(series)) place.hidden.add(series);
    draw(element, place);
    [...element.querySelectorAll<HTMLElement>(".legend button")].find((button) => button.textContent === series)?.focus();
  };
  const parts: Element[] = legend(place.chart, place.hidden, toggle);
  if (!isEmpty(shown)) {
    const svg = drawers[shown.kind](shown, place.width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${shown.title}. The numbers are in the table below.`);
    parts.push(svg);
  }
  element.replaceChildren(...parts);
}

function fit(element: HTMLElement): void {
  const place = places.get(element), width = Math.floor(element.clientWidth);
  if (!place || width < narrowest || place.width === width) return;
  place.width = width;
  draw(element, place);
}

// The chart appears when the place is part of the page.
export function drawIn(element: HTMLElement, chart: Chart): void {
  places.set(element, { chart, hidden: new Set(), width: 0 });
}

export function drawAll(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) fit(target as HTMLElement);
  });
  for (const element of places.keys()) {
    fit(element);
    observer.observe(element);
  }
}
