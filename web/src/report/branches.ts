// What branches do: how well they compact, and whether warps were right to wait at them.
import { type Chart, newChart } from "../charts/chart.ts";
import { mean, sum } from "../shared/numbers.ts";
import type { RunGroup } from "./run_group.ts";

const kinds = ["P", "D"] as const;

// The mechanism whose rates are shown: all that have a stack per block see the same paths.
function withRates(group: RunGroup): number | undefined {
  return group.mechanisms.map((_, m) => m)
    .find((m) => group.workloads.some((_, w) => group.with(w, m, "compaction")?.total.compaction?.P));
}

// Rates of the workloads that have divergent branches of a kind, by lane map.
function ratesOf(group: RunGroup, mechanism: number, kind: "P" | "D"): Map<string, number[]> {
  const rates = new Map<string, number[]>();
  group.workloads.forEach((_, w) => {
    const found = group.with(w, mechanism, "compaction")?.total.compaction?.[kind];
    if (!found || found.paths === 0) return;
    for (const [map, rate] of Object.entries(found.rates ?? {})) rates.set(map, [...(rates.get(map) ?? []), rate]);
  });
  return rates;
}

export function compactionChart(group: RunGroup): Chart {
  const chart = newChart("compaction", {
    unit: "share",
    title: "How well divergent branches compact, by lane map",
    caption: "The share of the paths of divergent branches that need fewer warps than static warps do, under each lane " +
      "map, where the branch depends on thread numbers and parameters (P) and where it depends on data (D). ideal: " +
      "threads may change lanes. Arithmetic mean of the workloads that have divergent branches of that kind.",
    values: "paths that compact, %", groups: "lane map", command: group.command("--taint"),
    series: [{ name: "P-branches", colour: "right1" }, { name: "D-branches", colour: "right2" }],
  });
  const mechanism = withRates(group);
  if (mechanism === undefined) return chart;
  const rates = kinds.map((kind) => ratesOf(group, mechanism, kind));
  for (const map of new Set(rates.flatMap((of) => [...of.keys()])))
    for (const [series, of] of rates.entries()) {
      const values = of.get(map);
      if (values) chart.data.push({ group: map, series, value: mean(values), note: `${values.length} workloads` });
    }
  return chart;
}

const outcomes = [
  { field: "stall_stall", name: "waited, rightly", colour: "right1" },
  { field: "bypass_bypass", name: "passed on, rightly", colour: "right2" },
  { field: "stall_bypass", name: "waited in vain", colour: "wrong1" },
  { field: "bypass_stall", name: "passed on, should have waited", colour: "wrong2" },
];

// CAPRI's four outcomes.
export function decisionChart(group: RunGroup): Chart {
  const chart = newChart("decisions", {
    kind: "stack", unit: "share",
    title: "Were warps right to wait at branches?",
    caption: "What warps did at branches, and what would have been best with hindsight: waiting for the others of their " +
      "block pays where together they need fewer warps.",
    values: "decisions, %", groups: "workload", command: group.command("--scores"), series: outcomes,
  });
  for (const [w, m] of group.places()) {
    const decisions = group.with(w, m, "decisions")?.total.decisions;
    if (!decisions) continue;
    const numbers = outcomes.map(({ field }) => decisions[field] ?? 0), all = sum(numbers);
    if (all === 0) continue;
    numbers.forEach((number, series) => chart.data.push({
      group: group.workloads[w], bar: group.mechanisms[m], series, value: number / all, note: `${number} of ${all}`,
    }));
  }
  return chart;
}
