// A drawn chart as a file of its own, for a slide: title, legend and drawing, with the colours of this page in place of
// their names.
import { css } from "../shared/colours.ts";
import type { Chart } from "./chart.ts";

const namespace = "http://www.w3.org/2000/svg";

function element(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

const edge = 12; // of paper around it
const painted = ["fill", "stroke"] as const;
const isNamed = (value: string | null) => value !== null && /var\(|color-mix|currentColor/.test(value);

// Names of colours are known to this page only.
function paint(drawn: Element, copy: Element): void {
  const style = getComputedStyle(drawn);
  for (const which of painted) if (isNamed(drawn.getAttribute(which))) copy.setAttribute(which, style[which]);
  [...drawn.children].forEach((child, i) => paint(child, copy.children[i]));
}

// Squares and names, in as many lines as they take.
function legendOf(chart: Chart, place: HTMLElement, width: number, top: number): { parts: SVGElement[]; height: number } {
  if (chart.kind === "heat") return { parts: [], height: 0 };
  const ink = getComputedStyle(place).color, parts: SVGElement[] = [];
  let x = 0, y = top;
  for (const { name, colour } of chart.series) {
    const needed = 28 + 7.6 * name.length;
    if (x > 0 && x + needed > width) [x, y] = [0, y + 18];
    const probe = place.appendChild(document.createElement("span"));
    probe.style.color = css(colour);
    parts.push(element("rect", { x, y: y - 10, width: 11, height: 11, fill: getComputedStyle(probe).color }),
      element("text", { x: x + 16, y, fill: ink, "font-size": 12 }, name));
    probe.remove();
    x += needed;
  }
  return { parts, height: y - top + 18 };
}

export function pictureOf(chart: Chart, place: HTMLElement): string {
  const drawn = [...place.children].find((child) => child.localName === "svg");
  if (!drawn) return "";
  const width = Number(drawn.getAttribute("width")), height = Number(drawn.getAttribute("height"));
  const style = getComputedStyle(place), legend = legendOf(chart, place, width, 44), top = 34 + legend.height;
  const copy = drawn.cloneNode(true) as Element;
  paint(drawn, copy);
  copy.setAttribute("x", "0");
  copy.setAttribute("y", String(top));
  copy.setAttribute("color", style.color);
  const paper = getComputedStyle(document.body).backgroundColor;
  const whole = element("svg", {
    xmlns: namespace, width: width + 2 * edge, height: height + top + 2 * edge, "font-family": "system-ui, sans-serif",
    viewBox: `${-edge} ${-edge} ${width + 2 * edge} ${height + top + 2 * edge}`,
  });
  whole.append(element("rect", { x: -edge, y: -edge, width: "100%", height: "100%", fill: paper }),
    element("text", { x: 0, y: 18, fill: style.color, "font-size": 15, "font-weight": 600 }, chart.title), ...legend.parts, copy);
  return new XMLSerializer().serializeToString(whole);
}
