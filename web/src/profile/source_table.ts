// A source file, line by line.
import type { Profile, ProfileLine } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { counted, grouped, percent } from "../shared/format.ts";
import { over } from "../shared/numbers.ts";
import { heading, number, row, scrolling, table, td, th } from "../shared/table.ts";

const context = 3; // quiet lines shown beside one that was executed
const worthAColour = 0.005; // share of the lanes lost

const headings = [
  heading("line"), heading("share lost"), heading("source", "code"), heading("threads per slot"), heading("diverged"),
  heading("kind"), heading("lanes lost"), heading("issue slots"), heading("slots lost"),
];

export const rowId = (profile: number, source: number, line: number) => `line-${profile}-${source}-${line}`;

function executedRow(id: string, text: string, line: ProfileLine, all: number): HTMLElement {
  const lost = over(line.lanes_lost, all), hot = lost >= worthAColour;
  return row([
    th(line.line),
    td(percent(lost)),
    td(text, { class: "code" }),
    td(over(line.active_threads, line.issue_slots).toFixed(1)),
    td(line.branches > 0 ? percent(over(line.diverged, line.branches)) : ""),
    td(line.kind, { class: "text" }),
    number(line.lanes_lost, grouped(line.lanes_lost)),
    td(grouped(line.issue_slots)),
    td(grouped(line.slots_lost)),
  ], { id, class: hot ? "hot" : undefined, style: hot ? `--h:${(0.08 + 0.5 * lost).toFixed(2)}` : undefined });
}

const quietRow = (line: number, text: string) =>
  row([th(line), td(""), td(text, { class: "code" }), ...headings.slice(3).map(() => td(""))], { class: "quiet" });

const gapRow = (lines: number) =>
  row([th("⋯"), td(""), td(counted(lines, "line"), { class: "code", colspan: headings.length - 2 })], { class: "quiet" });

export function sourceTable(profile: Profile, place: number, source: number): Child {
  const { file, lines: texts } = profile.sources[source];
  const executed = new Map(profile.lines.filter((line) => line.file === file).map((line) => [line.line, line]));
  const shown = new Set([...executed.keys()].flatMap((line) => Array.from({ length: 2 * context + 1 }, (_, i) => line - context + i)));
  const rows: HTMLElement[] = [];
  let leftOut = 0;
  const gap = () => {
    if (leftOut > 0) rows.push(gapRow(leftOut));
    leftOut = 0;
  };
  for (let number = executed.has(0) ? 0 : 1; number <= texts.length; ++number) {
    if (!shown.has(number)) {
      ++leftOut;
      continue;
    }
    gap();
    const line = executed.get(number), text = texts[number - 1] ?? "";
    rows.push(line ? executedRow(rowId(place, source, number), text, line, profile.cost.lanes_lost) : quietRow(number, text));
  }
  gap();
  return [h("h3", {}, file), scrolling(`${file} with what its lines cost`, table(headings, rows, { class: "source" }))];
}
