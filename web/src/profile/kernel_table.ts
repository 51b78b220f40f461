// A program's kernels, and why each is slow.
import type { Profile } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { grouped, percent } from "../shared/format.ts";
import { over, sum } from "../shared/numbers.ts";
import { sortable } from "../shared/sorting.ts";
import { heading, number, row, scrolling, table, td, th } from "../shared/table.ts";

export function kernelTable(profile: Profile): Child {
  const kernels = profile.kernels ?? [];
  if (kernels.length < 2) return null;
  const weight = (kernel: (typeof kernels)[0]) => (profile.time ? kernel.cycles : kernel.issue_slots), all = sum(kernels.map(weight));
  const rows = kernels.map((kernel) => row([
    th(kernel.name), number(weight(kernel), percent(over(weight(kernel), all))), td(kernel.answer.sentence, { class: "wide" }),
    number(kernel.launches, grouped(kernel.launches)), ...(profile.time ? [number(kernel.cycles, grouped(kernel.cycles))] : []),
    number(kernel.issue_slots, grouped(kernel.issue_slots)),
  ]));
  const headings = [
    heading("kernel"), heading(profile.time ? "share of cycles" : "share of slots"), heading("why", "text"), heading("launches"),
    ...(profile.time ? [heading("cycles")] : []), heading("issue slots"),
  ];
  return [h("h3", {}, "Kernel by kernel"), scrolling("kernels", sortable(table(headings, rows, { class: "kernels" })))];
}
