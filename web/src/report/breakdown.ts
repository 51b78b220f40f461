// Where the cycles of all cores, or the issue slots, go.
import { type Chart, newChart } from "../charts/chart.ts";
import { classColour } from "../shared/colours.ts";
import { sum } from "../shared/numbers.ts";
import { crowded } from "./bars_over_workloads.ts";
import type { RunGroup } from "./run_group.ts";

type Parts = [name: string, amount: number][];

// Issue slots by active threads, in classes as the breakdown of cycles has them.
export function slotClasses(active: number[], warpSize: number): Parts {
  const size = Math.max(1, Math.floor(warpSize / 8)), classes: Parts = [];
  for (let low = 1; low <= warpSize; low += size)
    classes.push([size === 1 ? `W${low}` : `W${low}-${low + size - 1}`, sum(active.slice(low - 1, low - 1 + size))]);
  return classes;
}

// Of a run that has none: none.
function partsOf(group: RunGroup, workload: number, mechanism: number): Parts {
  const run = group.with(workload, mechanism, group.timed ? "breakdown" : "active_threads");
  if (!run) return [];
  if (!group.timed) return slotClasses(run.total.active_threads, Number(run.config.warp_size));
  return Object.entries(run.total.breakdown ?? {}).filter(([name, cycles]) => name !== "W0_Phantom" || cycles !== 0);
}

const wholeOf = (group: RunGroup, workload: number, mechanism: number) =>
  sum(partsOf(group, workload, mechanism).map(([, amount]) => amount));

function seriesOf(chart: Chart, name: string, place: number): number {
  const found = chart.series.findIndex((series) => series.name === name);
  return found >= 0 ? found : chart.series.push({ name, colour: classColour(name, place) }) - 1;
}

function emptyBreakdown(id: string, group: RunGroup): Chart {
  const [first] = group.mechanisms, what = group.timed ? "cycles of all cores" : "issue slots";
  const waits = " Stall: a warp was ready and the pipeline below did not take it. W0_Mem: nothing was ready, and some " +
    "warp waited for memory. W0_Idle: nothing was ready, and nobody waited for memory.";
  return newChart(id, {
    kind: "stack",
    title: `Where the ${what} go under each mechanism`,
    caption: `Length: ${what}, over those of ${first}. W1-4 … W29-32: an instruction was issued for that many active ` +
      `threads.${group.timed ? waits : ""}`,
    values: `${what} / those of ${first}`, groups: "workload", command: group.command(),
  });
}

// Workload by workload.
export function breakdownChart(group: RunGroup): Chart {
  const chart = emptyBreakdown("breakdown", group);
  chart.folded = crowded(group);
  if (chart.folded) chart.title += ", workload by workload";
  for (const [w, m] of group.places()) {
    const whole = wholeOf(group, w, 0);
    if (whole === 0 || wholeOf(group, w, m) === 0) continue;
    for (const [place, [name, amount]] of partsOf(group, w, m).entries())
      chart.data.push({
        group: group.workloads[w], bar: group.mechanisms[m], series: seriesOf(chart, name, place), value: amount / whole,
        note: `${amount.toFixed(0)} ${group.timed ? "cycles" : "slots"}`,
      });
  }
  return chart;
}

// Of all workloads that all mechanisms got right, where the bars of single ones are too many.
export function meanBreakdownChart(group: RunGroup): Chart {
  const chart = emptyBreakdown("breakdown-mean", group);
  if (!crowded(group)) return chart;
  const common = group.workloads.map((_, w) => w).filter((w) => group.mechanisms.every((_, m) => wholeOf(group, w, m) > 0));
  chart.caption += ` Arithmetic mean of the ${common.length} workloads that all of them got right.`;
  for (const [m, mechanism] of group.mechanisms.entries()) {
    const sums: number[] = [];
    for (const w of common)
      for (const [place, [name, amount]] of partsOf(group, w, m).entries()) {
        const series = seriesOf(chart, name, place);
        sums[series] = (sums[series] ?? 0) + amount / wholeOf(group, w, 0);
      }
    sums.forEach((all, series) => chart.data.push({ group: "mean", bar: mechanism, series, value: all / common.length }));
  }
  return chart;
}
