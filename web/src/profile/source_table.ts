// A source file, line by line, with what its lines cost; sorted by any column.
import type { Profile, ProfileLine } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { counted, percent } from "../shared/format.ts";
import { over } from "../shared/numbers.ts";
import { sortable } from "../shared/sorting.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";
import { type Column, laneColumns, timeColumns } from "./columns.ts";
import { highlighted } from "./highlight.ts";

const context = 3; // quiet lines shown beside one that was executed
const worthAColour = 0.005; // of the cycles, without a clock of the lanes lost

export const rowId = (profile: number, source: number, line: number) => `line-${profile}-${source}-${line}`;

// Where there is room the columns that say most stand before the source, the rest behind it.
const first = new Set(["mostly for", "lines per access", "threads per slot"]);
interface Layout {
  before: Column<ProfileLine>[];
  after: Column<ProfileLine>[];
}
function layoutOf(profile: Profile): Layout {
  const lanes = laneColumns(profile), all = profile.time ? [...timeColumns, ...lanes] : lanes.filter(({ name }) => name !== "share lost");
  const leads = ({ name }: Column<ProfileLine>) => first.has(name) && !matchMedia("(max-width: 40rem)").matches;
  return { before: all.filter(leads), after: all.filter((column) => !leads(column)) };
}

const weightOf = (profile: Profile, line: ProfileLine) =>
  profile.time ? over(line.time?.cycles ?? 0, profile.time.core_cycles) : over(line.lanes_lost, profile.cost.lanes_lost);

function executedRow(profile: Profile, layout: Layout, id: string, text: Child, line: ProfileLine): HTMLElement {
  const weight = weightOf(profile, line), hot = weight >= worthAColour;
  const named = profile.answer?.file === line.file && profile.answer.line === line.line;
  return row([
    th(line.line),
    number(weight, percent(weight)),
    ...layout.before.map((column) => column.cell(line)),
    td(text, { class: "code" }),
    ...layout.after.map((column) => column.cell(line)),
  ], {
    id, class: [hot && "hot", named && "named"].filter(Boolean).join(" ") || undefined,
    style: hot ? `--h:${(0.08 + 0.5 * weight).toFixed(2)}` : undefined,
  });
}

const empty = (columns: unknown[]) => columns.map(() => nothing(""));
const quietRow = (layout: Layout, line: number | string, text: Child) =>
  row([th(line), nothing(""), ...empty(layout.before), td(text, { class: "code" }), ...empty(layout.after)], { class: "quiet" });

export function sourceTable(profile: Profile, place: number, source: number): Child {
  const { file, lines: texts } = profile.sources[source], coloured = highlighted(file, texts), layout = layoutOf(profile);
  const executed = new Map(profile.lines.filter((line) => line.file === file).map((line) => [line.line, line]));
  const shown = new Set([...executed.keys()].flatMap((line) => Array.from({ length: 2 * context + 1 }, (_, i) => line - context + i)));
  const rows: HTMLElement[] = [];
  let leftOut = 0;
  const gap = () => {
    if (leftOut > 0) rows.push(quietRow(layout, "⋯", counted(leftOut, "line")));
    leftOut = 0;
  };
  for (let number = executed.has(0) ? 0 : 1; number <= texts.length; ++number) {
    if (!shown.has(number)) {
      ++leftOut;
      continue;
    }
    gap();
    const line = executed.get(number), text = coloured[number - 1] ?? "";
    rows.push(line ? executedRow(profile, layout, rowId(place, source, number), text, line) : quietRow(layout, number, text));
  }
  gap();
  const headings = [
    heading("line"), heading(profile.time ? "share of cycles" : "share lost"), ...layout.before.map(({ name }) => heading(name)),
    heading("source", "code"), ...layout.after.map(({ name }) => heading(name)),
  ];
  const made = sortable(table(headings, rows, { class: "source" }));
  const titles = new Map([...layout.before, ...layout.after].map(({ name, title }) => [name, title]));
  for (const cell of made.tHead!.rows[0].cells)
    if (titles.has(cell.textContent ?? "")) cell.title = `${titles.get(cell.textContent ?? "")}; click to sort`;
  return [h("h3", {}, file.split("/").at(-1)), h("div", { class: "full" }, scrolling(`${file} with what its lines cost`, made))];
}
