// A chart as a figure: heading, drawing, the numbers as a table, the command.
import { type Child, folded, h } from "../shared/dom.ts";
import { command, copyButton, csvRow, saveButton } from "../shared/save.ts";
import { sortable } from "../shared/sorting.ts";
import { heading, nothing, number, row, scrolling, table, th } from "../shared/table.ts";
import { type Chart, type Datum, type Kind, valueText, xText } from "./chart.ts";
import { drawIn } from "./draw.ts";
import { pictureOf } from "./picture.ts";

const many = 14; // columns that need small print on paper

interface Row {
  group: string;
  bar: string;
  x: number | undefined;
  cells: (Datum | undefined)[];
}

// Every group and bar, or every x, in order of appearance, with a datum per series where there is one.
function rowsOf(chart: Chart): Row[] {
  const rows = new Map<string, Row>();
  for (const datum of chart.data) {
    const place = JSON.stringify([datum.group, datum.bar ?? "", datum.x === undefined ? "" : xText(datum.x)]);
    let found = rows.get(place);
    if (!found) rows.set(place, (found = { group: datum.group, bar: datum.bar ?? "", x: datum.x, cells: [] }));
    found.cells[datum.series] = datum;
  }
  return [...rows.values()];
}

// Of a scatter each point has one number, whatever its colour.
const columnsOf = (chart: Chart) => (chart.kind === "scatter" ? [chart.values] : chart.series.map((series) => series.name));
const cellsOf = (chart: Chart, { cells }: Row) =>
  chart.kind === "scatter" ? [cells.find((datum) => datum !== undefined)] : chart.series.map((_, i) => cells[i]);
const barHeadings: Partial<Record<Kind, string>> = { heat: "class", scatter: "kernel" };
const acrossText = (chart: Chart, x: number) => (chart.kind === "scatter" ? valueText(chart, x) : xText(x));

function cell(chart: Chart, datum: Datum | undefined): HTMLElement {
  if (!datum) return nothing("");
  if (datum.value === null) return nothing(datum.note);
  return number(datum.value, valueText(chart, datum.value), { class: datum.best ? "best" : undefined });
}

function numbers(chart: Chart): HTMLElement {
  const rows = rowsOf(chart), lines = chart.kind === "lines";
  const groups = rows.some((each) => each.group !== ""), bars = rows.some((each) => each.bar !== "");
  const headings = [
    ...(groups ? [heading(lines ? "" : chart.groups)] : []),
    ...(bars ? [heading(barHeadings[chart.kind] ?? "mechanism")] : []),
    ...(lines ? [heading(chart.groups)] : []),
    ...(chart.across === undefined ? [] : [heading(chart.across)]),
    ...columnsOf(chart).map((name) => heading(name)),
  ];
  const body = rows.map((each) => row([
    ...(groups ? [th(each.group)] : []),
    ...(bars ? [th(each.bar)] : []),
    ...(each.x === undefined ? [] : [th(acrossText(chart, each.x), { "data-value": each.x })]),
    ...cellsOf(chart, each).map((datum) => cell(chart, datum)),
  ]));
  return sortable(table(headings, body, { class: chart.series.length > many ? "many" : undefined }));
}

// All of a chart's numbers, to the last digit.
export function csvOf(chart: Chart): string {
  const rows = rowsOf(chart).map((each) => csvRow([
    each.group, each.bar, each.x === undefined ? "" : xText(each.x), ...cellsOf(chart, each).map((datum) => datum?.value ?? ""),
  ]));
  return [csvRow([chart.groups || "group", barHeadings[chart.kind] ?? "bar", chart.across ?? "x", ...columnsOf(chart)]), ...rows, ""].join("\n");
}

export function figure(chart: Chart): Child {
  const place = h("div", { class: "chart", "data-kind": chart.kind, "data-yardstick": chart.yardstick && chart.series.length > 1 });
  drawIn(place, chart);
  const whole = h("figure", { id: chart.id },
    h("figcaption", {}, h("h3", {}, chart.title), h("p", {}, chart.caption)),
    place,
    h("p", { class: "tools" },
      saveButton("SVG", `${chart.id}.svg`, "image/svg+xml", () => pictureOf(chart, place)),
      saveButton("CSV", `${chart.id}.csv`, "text/csv", () => csvOf(chart)),
      copyButton(() => csvOf(chart).replaceAll(",", "\t"), "the numbers")),
    folded("The numbers as a table", {}, scrolling(`${chart.title}, as a table`, numbers(chart))),
    command(chart.command));
  return chart.folded ? folded(chart.title, { class: "fold" }, whole) : whole;
}
