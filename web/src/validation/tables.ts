// The figures of a validation as tables.
import type { Beside, Micro, ValidatedKernel, Validation } from "../shared/data.ts";
import { type Child, folded, h } from "../shared/dom.ts";
import { change, grouped, percent, times } from "../shared/format.ts";
import { sortable } from "../shared/sorting.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";
import { efficiencyOf, errorOf, isNear, microGoal, spentText, timesOff, worstOf } from "./judge.ts";

const named: Record<string, string> = {
  cycles: "cycles of kernels", workload_cycles: "cycles of workloads", instructions: "machine instructions",
  thread_instructions: "thread instructions", l1_sectors: "L1 sectors", l2_sectors: "L2 sectors",
};
const errors = ["cycles", "instructions", "thread_instructions", "l1_sectors", "l2_sectors"];
const errorHeadings = ["instructions", "threads", "L1 sectors", "L2 sectors"];

const words = ["kernel", "simulated cores", "unit"]; // columns of text
const headed = (text: string) => heading(text, words.includes(text) ? "text" : undefined);

// A bar from the middle, as long as the logarithm of the ratio; at the edge it is off by two times or more.
function errorBar(value: Beside): HTMLElement {
  const length = 50 * Math.min(1, Math.abs(Math.log2(value.simulated / value.hardware)));
  return h("span", { class: "off", "aria-hidden": "true" },
    h("i", { style: `${value.simulated < value.hardware ? "right" : "left"}:50%;width:${length.toFixed(1)}%` }));
}

const errorCell = (value: Beside | undefined) =>
  value && value.hardware > 0 ? number(errorOf(value), change(1 + errorOf(value))) : nothing();

export const agreementTable = ({ agreement }: Validation): Child =>
  scrolling("how well heddle agrees", table(
    ["", "figures", "mean absolute error", "rank correlation", "the worst off by"].map(headed),
    Object.entries(agreement).map(([name, each]) => row([
      th(named[name] ?? name), number(each.count, grouped(each.count)), number(each.mean_absolute_error, percent(each.mean_absolute_error)),
      number(each.spearman, each.spearman.toFixed(3)), number(each.worst_factor, times(each.worst_factor)),
    ])), { class: "agreement" }));

function efficiencyText(kernel: ValidatedKernel): string {
  const value = efficiencyOf(kernel);
  return value ? `${percent(value.simulated)} (${percent(value.hardware)})` : "–";
}

export const worstTable = (validation: Validation, count: number): Child =>
  scrolling("the furthest off", table(
    ["kernel", "cycles", ...errorHeadings, "SIMD eff. (hardware)", "simulated cores"].map(headed),
    worstOf(validation, count).map((kernel) => row([
      th(`${kernel.workload}, ${kernel.kernel}`), number(timesOff(kernel.measures.cycles), change(1 + errorOf(kernel.measures.cycles))),
      ...errors.slice(1).map((measure) => errorCell(kernel.measures[measure])),
      td(efficiencyText(kernel)), td(spentText(kernel), { class: "wide" }),
    ])), { class: "worst" }));

function kernelRow(kernel: ValidatedKernel): HTMLElement {
  const { cycles } = kernel.measures;
  if (kernel.failure || !cycles) return row([th(kernel.workload), th(kernel.kernel), td(kernel.failure ?? "", { colspan: 10, class: "fails text" })]);
  return row([
    th(kernel.workload), th(kernel.kernel), number(kernel.launches, grouped(kernel.launches)),
    number(cycles.hardware, grouped(cycles.hardware)), number(cycles.simulated, grouped(cycles.simulated)),
    errorCell(cycles), td(errorBar(cycles)), ...errors.slice(1).map((measure) => errorCell(kernel.measures[measure])),
    td(spentText(kernel), { class: "text" }),
  ]);
}

export const kernelTable = ({ kernels, hardware }: Validation): Child =>
  scrolling("every kernel", sortable(table(
    ["workload", "kernel", "launches", hardware.device, "heddle", "error", "", ...errorHeadings, "simulated cores"].map(headed),
    kernels.map(kernelRow), { class: "beside" })));

function microRow(micro: Micro): HTMLElement {
  const value = (figure: number) => number(figure, String(Number(figure.toPrecision(4))));
  if (micro.failure) return row([th(micro.name), value(micro.hardware), td(micro.failure, { colspan: 4, class: "fails text" })]);
  return row([
    th(micro.name), value(micro.hardware), value(micro.simulated),
    number(errorOf(micro), change(1 + errorOf(micro)), { class: isNear(micro) ? "holds" : "fails" }), td(errorBar(micro)),
    td(micro.unit, { class: "text" }),
  ]);
}

// Those of one thing together: "latency.…", "rate.…".
export function microTables({ micro, hardware }: Validation): Child {
  const groups = new Map<string, Micro[]>();
  for (const each of micro) {
    const [group] = each.name.split(".");
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return [...groups].map(([group, all]) => folded(
    [h("b", {}, group), h("span", { class: "soft" }, ` ${all.filter(isNear).length} of ${all.length} within ${100 * microGoal} %`)], { class: "group" },
    scrolling(group, sortable(table(
      ["microbenchmark", hardware.device, "heddle", "error", "", "unit"].map(headed), all.map(microRow), { class: "micro" })))));
}
