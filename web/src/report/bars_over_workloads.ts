// Charts of one figure per workload and mechanism.
import type { Chart } from "../charts/chart.ts";
import { present, type Value } from "../shared/numbers.ts";
import type { RunGroup } from "./run_group.ts";

const mostBars = 60; // of one chart; more become a heat chart

export const crowded = (group: RunGroup) => group.size > mostBars;

type ValueOf = (workload: number, mechanism: number) => Value;

// In front the means, each over the workloads that it and the first mechanism got right.
export function fillBars(chart: Chart, group: RunGroup, valueOf: ValueOf, meanOf: (values: number[]) => Value): Chart {
  const workloads = group.workloads.map((_, w) => w);
  chart.series = group.series;
  chart.groups = "workload";
  if (crowded(group)) chart.kind = "heat";
  chart.yardstick = chart.from === 1;
  for (let m = 0; m < group.mechanisms.length && workloads.length > 1; ++m) {
    const values = present(workloads.filter((w) => group.passed(w, 0)).map((w) => valueOf(w, m)));
    const note = values.length === workloads.length ? "" : `of ${values.length}`;
    chart.data.push({ group: "mean", series: m, value: meanOf(values), note });
  }
  for (const [w, m] of group.places()) {
    const value = valueOf(w, m);
    chart.data.push({ group: group.workloads[w], series: m, value, note: value === null ? group.outcome(w, m) : "" });
  }
  return chart;
}
