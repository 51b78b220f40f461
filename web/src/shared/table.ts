// Tables that scroll by themselves where they are wider than the page.
import { type Attributes, type Child, h } from "./dom.ts";

export interface Heading {
  text: string;
  class?: string;
}

export const heading = (text: string, classes?: string): Heading => ({ text, class: classes });
export const td = (text: Child, attributes: Attributes = {}) => h("td", attributes, text);
export const th = (text: Child, attributes: Attributes = {}) => h("th", { scope: "row", ...attributes }, text);
export const row = (cells: HTMLElement[], attributes: Attributes = {}) => h("tr", attributes, cells);

// A cell whose exact number can be read by programs.
export const number = (value: number, text: string, attributes: Attributes = {}) =>
  td(text, { ...attributes, "data-value": value });
export const nothing = (text: Child = "–") => td(text, { class: "none" });

export function table(headings: Heading[], rows: HTMLElement[], attributes: Attributes = {}): HTMLTableElement {
  const columns = headings.map((each) => h("th", { scope: "col", class: each.class }, each.text));
  return h("table", attributes, h("thead", {}, h("tr", {}, columns)), h("tbody", {}, rows));
}

export const scrolling = (label: string, content: Child) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);
