// Standings of runs side by side.
import { harmonicMean, mean, present, sum, type Value } from "../shared/numbers.ts";
import type { RunGroup } from "./run_group.ts";
import { type Class, type Contest, type Standing, type Standings } from "./standings.ts";

const divergent = 0.76; // SIMD efficiency below which a workload is divergent: heddle list workloads
const resolution = 0.005; // speeds that are nearer do not differ, as in heddle reproduce

const classOf = (group: RunGroup, workload: number): Class =>
  (group.number(workload, 0, "simd_efficiency") ?? 1) < divergent ? "divergent" : "coherent";

// IPC, or without a clock active threads per issue slot, over those of the first mechanism.
const speedOf = (group: RunGroup, w: number, m: number) =>
  group.againstFirst(w, m, group.timed ? "ipc" : "simd_efficiency");

// Of those within the resolution of the fastest the first has won, and the others are tied.
export function contestOf(group: RunGroup, w: number): Contest {
  const ratios = group.mechanisms.map((_, m) => speedOf(group, w, m)), best = Math.max(0, ...present(ratios));
  const [winner, ...tied] = group.mechanisms.filter((_, m) => (ratios[m] ?? 0) >= best * (1 - resolution) && ratios[m] !== null);
  return {
    workload: group.workloads[w], class: classOf(group, w), winner: winner ?? null, tied, missing: {},
    ratios: Object.fromEntries(group.mechanisms.map((name, m) => [name, ratios[m]])),
  };
}

export function standingOf(group: RunGroup, m: number): Standing {
  const counted = group.workloads.map((_, w) => w).filter((w) => group.passed(w, m) && group.passed(w, 0));
  const values = (valueOf: (w: number) => Value, over = counted) => present(over.map(valueOf));
  const speed = (over: number[]) => harmonicMean(values((w) => speedOf(group, w, m), over));
  const stalls = (of: number) => sum(values((w) => group.number(w, of, "memory_stall_cycles")));
  return {
    name: group.mechanisms[m], colour: group.series[m].colour, bound: false,
    speed: {
      divergent: speed(counted.filter((w) => classOf(group, w) === "divergent")),
      coherent: speed(counted.filter((w) => classOf(group, w) === "coherent")), all: speed(counted),
    },
    figures: {
      simd_efficiency: mean(values((w) => group.number(w, m, "simd_efficiency"))),
      idle: mean(values((w) => group.share(w, m, "idle_cycles"))),
      memory_stalls_against_first: stalls(0) > 0 ? stalls(m) / stalls(0) : null,
      state_bits_per_warp: Math.max(0, ...values((w) => group.number(w, m, "state_bits_per_warp"))),
    },
    workloads: counted.length, counted: `${counted.length} of ${group.workloads.length}`,
  };
}

export function standingsOf(group: RunGroup): Standings {
  const rows = group.mechanisms.map((_, m) => standingOf(group, m)), all = `${group.workloads.length} of ${group.workloads.length}`;
  return {
    what: "mechanism", speed: group.timed ? "IPC" : "active threads per slot", speedField: group.timed ? "ipc" : "active",
    timed: group.timed, contests: group.workloads.map((_, w) => contestOf(group, w)),
    rows: rows.some((each) => each.counted !== all) ? rows : rows.map((each) => ({ ...each, counted: "" })),
    means: "the workloads whose result was right under both",
  };
}

