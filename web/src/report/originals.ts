// The programs that the papers ran, as tools/measure-originals has measured them.
import type { Original } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { change, percent } from "../shared/format.ts";
import { unique } from "../shared/numbers.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";

const columnOf = (each: Original) => `${each.mechanism}, ${each.machine}`;
const rowKey = (each: Original) => [each.workload, each.program, each.compiler].join("\n");

function rowOf(all: Original[], columns: string[]): HTMLElement | null {
  const base = all.find((each) => each.mechanism === "pdom");
  if (!base) return null;
  const ratios = columns.map((column) => {
    const value = all.find((each) => columnOf(each) === column)?.over_pdom;
    return typeof value === "number" ? number(value, change(value)) : nothing();
  });
  return row([
    th(base.workload), td(base.program, { class: "text" }), td(base.compiler, { class: "text" }),
    number(base.thread_instructions, `${(base.thread_instructions / 1e6).toFixed(1)} M`),
    number(base.simd_efficiency, percent(base.simd_efficiency)), td(base.deepest), ...ratios,
  ]);
}

export function originals(given: Original[]): Child {
  const ran = given.filter((each) => each.exit_code === 0);
  if (ran.length === 0) return null;
  const columns = unique(ran.filter((each) => each.mechanism !== "pdom").map(columnOf));
  const names = ["workload", "the original", "code", "instructions", "SIMD eff.", "depth", ...columns];
  const rows = unique(ran.map(rowKey)).map((key) => rowOf(ran.filter((each) => rowKey(each) === key), columns));
  return [
    h("h3", {}, "The original programs"),
    h("p", {}, "What the papers ran, as far as it is public: code as clang writes it today, as compilers of the time did (era), " +
      "and where it is published what they wrote (period). Speed over that of pdom on the same machine; the other figures are those of pdom on the first."),
    scrolling("the original programs", table(names.map((text) => heading(text)), rows.filter((each) => each !== null), { class: "claims originals" })),
  ];
}
