// Charts are drawn as wide as their place, and again when that changes: also when what was folded is opened.
import { barsChart } from "./bars.ts";
import type { Chart, Kind } from "./chart.ts";
import { heatChart } from "./heat.ts";
import { legend } from "./legend.ts";
import { linesChart } from "./lines.ts";
import { stackChart } from "./stack.ts";

type Drawer = (chart: Chart, width: number) => Element;
const drawers: Record<Kind, Drawer> = { bars: barsChart, stack: stackChart, lines: linesChart, heat: heatChart };

const narrowest = 50;
const places = new Map<Element, Chart>();

function draw(chart: Chart, place: HTMLElement): void {
  const width = Math.floor(place.clientWidth);
  if (width < narrowest || place.dataset.width === String(width)) return;
  place.dataset.width = String(width);
  const svg = drawers[chart.kind](chart, width);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${chart.title}. The numbers are in the table below.`);
  place.replaceChildren(...legend(chart), svg);
}

// The chart appears when the place is part of the page.
export function drawIn(place: HTMLElement, chart: Chart): void {
  places.set(place, chart);
}

export function drawAll(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) draw(places.get(target) as Chart, target as HTMLElement);
  });
  for (const [place, chart] of places) {
    draw(chart, place as HTMLElement);
    observer.observe(place);
  }
}
