// Speed, and what becomes of lanes, cycles and memory.
import { type Chart, newChart } from "../charts/chart.ts";
import { harmonicMean, mean, type Value } from "../shared/numbers.ts";
import { crowded, fillBars } from "./bars_over_workloads.ts";
import type { RunGroup } from "./run_group.ts";

// IPC over that of the first mechanism.
export function ipcChart(group: RunGroup): Chart {
  const [first] = group.mechanisms;
  const chart = newChart("ipc", {
    title: `Speed of each mechanism against ${first}`,
    caption: `Instructions per cycle over those of ${first}, workload by workload. ${
      crowded(group) ? "Blue is faster, orange slower." : "Bars to the right are faster, to the left slower."
    } The mean is the harmonic mean of the workloads whose result was right under both.`,
    values: `IPC / IPC of ${first}`, from: 1, command: group.command(),
  });
  if (!group.timed || group.mechanisms.length < 2) return chart;
  return fillBars(chart, group, (w, m) => group.againstFirst(w, m, "ipc"), harmonicMean);
}

export function efficiencyChart(group: RunGroup): Chart {
  const chart = newChart("efficiency", {
    unit: "share",
    title: "SIMD efficiency: how many lanes were active",
    caption: "Active threads over all issue slots / (warp size × issue slots). The mean is arithmetic.",
    values: "active lanes, % of those issued", command: group.command(),
  });
  return fillBars(chart, group, (w, m) => group.number(w, m, "simd_efficiency"), mean);
}

export function idleChart(group: RunGroup): Chart {
  const chart = newChart("idle", {
    unit: "share",
    title: "Idle cycles: nothing was ready to issue",
    caption: "W0_Mem + W0_Idle, of the cycles of all cores. The mean is arithmetic.",
    values: "idle, % of the cycles of all cores", command: group.command(),
  });
  if (!group.timed) return chart;
  return fillBars(chart, group, (w, m) => group.share(w, m, "idle_cycles"), mean);
}

function bytes(group: RunGroup, workload: number, mechanism: number): Value {
  const traffic = group.with(workload, mechanism, "traffic")?.total.traffic;
  return traffic ? traffic.request_bytes + traffic.reply_bytes : null;
}

// Bytes between cores and memory.
export function trafficChart(group: RunGroup): Chart {
  const [first] = group.mechanisms;
  const chart = newChart("traffic", {
    title: `Memory traffic of each mechanism against ${first}`,
    caption: `Bytes between the cores and memory in both directions, headers included, over those of ${first}. Threads ` +
      "that were regrouped touch more lines, or fewer. The mean is arithmetic.",
    values: `bytes / bytes of ${first}`, from: 1, command: group.command(),
  });
  if (!group.timed || group.mechanisms.length < 2 || !group.has("traffic")) return chart;
  return fillBars(chart, group, (w, m) => {
    const own = bytes(group, w, m), first = bytes(group, w, 0);
    return own !== null && first !== null && first > 0 ? own / first : null;
  }, mean);
}

export function stallChart(group: RunGroup): Chart {
  const chart = newChart("stalls", {
    unit: "share",
    title: "Memory stalls: cycles in which the memory stage was blocked",
    caption: "Cycles in which the memory stage of a core held an instruction for longer than a warp instruction takes, of " +
      "the cycles of all cores. The mean is arithmetic.",
    values: "stalled, % of the cycles of all cores", command: group.command(),
  });
  if (!group.timed || !group.has("memory_stall_cycles")) return chart;
  return fillBars(chart, group, (w, m) => group.share(w, m, "memory_stall_cycles"), mean);
}
