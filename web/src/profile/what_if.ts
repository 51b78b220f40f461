// What other mechanisms would give back, branch by branch.
import type { Profile, Saved, WhatIf } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { over } from "../shared/numbers.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";
import { sortable } from "../shared/sorting.ts";

// +12.3 % of the whole.
export const savedText = (part: number, whole: number) => {
  const share = 100 * over(part, whole);
  return `${share < 0 ? "" : "+"}${share.toFixed(1)} %`;
};

function cells(profile: Profile, saved: Saved | undefined): HTMLElement[] {
  const timed = profile.time ? 1 : 0;
  if (!saved) return Array.from({ length: 1 + timed }, () => nothing());
  const mark = (value: number) => ({ class: value > 0 ? "gain" : value < 0 ? "loss" : undefined });
  const slots = number(saved.slots, savedText(saved.slots, profile.cost.issue_slots), mark(saved.slots));
  if (!profile.time) return [slots];
  return [slots, number(saved.cycles, savedText(saved.cycles, profile.time.core_cycles), mark(saved.cycles))];
}

export function whatIfTable(profile: Profile): Child {
  const others = profile.what_if ?? [];
  if (others.length === 0) return null;
  const all = (saved: (other: WhatIf) => Saved | undefined) => others.flatMap((other) => cells(profile, saved(other)));
  const rows = profile.branches.map((branch, i) => row([
    th(`${branch.file.split("/").at(-1)}:${branch.line}`), ...all((other) => other.branches?.[i]), td(h("code", {}, branch.instruction), { class: "text" }),
  ]));
  const sumRow = row([th("all"), ...all((other) => other.saved), td("")], { class: "sum" });
  const headings = [
    heading("branch"), ...others.flatMap(({ mechanism }) => [heading(`${mechanism}: slots`), ...(profile.time ? [heading(`${mechanism}: cycles`)] : [])]),
    heading("instruction", "text"),
  ];
  const problems = others.filter(({ problem }) => problem).map(({ mechanism, problem }) => h("li", {}, `${mechanism}: ${problem}`));
  return [
    h("h3", {}, "What other mechanisms would give back"),
    h("p", { class: "soft" }, "Shares of all issue slots, and of all cycles of the cores, that would be saved (less than nothing: it takes more). " +
      "Slots: of the lanes that the branch is to blame for. Cycles: between the branch and the point where its threads meet again; these regions lie in each other."),
    scrolling("what if", sortable(table(headings, [...rows, sumRow], { class: "whatif tally" }))),
    problems.length > 0 && h("ul", { class: "failures" }, problems),
  ];
}
