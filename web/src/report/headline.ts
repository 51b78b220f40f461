// The table a reader sees first: every mechanism in a line, and who wins where.
import { key } from "../shared/colours.ts";
import { type Child, folded, h } from "../shared/dom.ts";
import { orDash, percent, ratio } from "../shared/format.ts";
import { harmonicMean, mean, present, unique, type Value } from "../shared/numbers.ts";
import { heading, row, scrolling, table, td, th } from "../shared/table.ts";
import type { RunGroup } from "./run_group.ts";

const divergent = 0.76; // SIMD efficiency below which a workload is divergent: heddle list workloads
const resolution = 0.005; // IPCs that are nearer do not differ, as in heddle reproduce

type Class = "all" | "divergent" | "coherent"; // which workloads a mean is over

function isOf(group: RunGroup, workload: number, which: Class): boolean {
  if (which === "all") return true;
  const efficiency = group.number(workload, 0, "simd_efficiency");
  return efficiency !== null && efficiency < divergent === (which === "divergent");
}

function overWorkloads(group: RunGroup, mechanism: number, which: Class, valueOf: (workload: number) => Value): number[] {
  const counted = group.workloads.map((_, w) => w)
    .filter((w) => group.passed(w, mechanism) && group.passed(w, 0) && isOf(group, w, which));
  return present(counted.map(valueOf));
}

// The mechanism with the highest IPC; of those within the resolution, the first.
export function winner(group: RunGroup, workload: number): number {
  const ipcs = group.mechanisms.map((_, m) => group.number(workload, m, "ipc"));
  const best = Math.max(0, ...present(ipcs));
  return ipcs.findIndex((ipc) => ipc !== null && ipc >= best * (1 - resolution));
}

export interface Headline {
  speed: Record<Class, Value>;
  efficiency: Value;
  idle: Value;
  wins: number;
  state: number;
  counted: number;
}

export function headlineOf(group: RunGroup, m: number): Headline {
  const values = (which: Class, valueOf: (w: number) => Value) => overWorkloads(group, m, which, valueOf);
  const speed = (which: Class) => harmonicMean(values(which, (w) => group.againstFirst(w, m, "ipc")));
  return {
    speed: { divergent: speed("divergent"), coherent: speed("coherent"), all: speed("all") },
    efficiency: mean(values("all", (w) => group.number(w, m, "simd_efficiency"))),
    idle: mean(values("all", (w) => group.share(w, m, "idle_cycles"))),
    wins: group.workloads.filter((_, w) => winner(group, w) === m).length,
    state: Math.max(0, ...values("all", (w) => group.number(w, m, "state_bits_per_warp"))),
    counted: values("all", (w) => group.number(w, m, "issue_slots")).length,
  };
}

function rowOf(group: RunGroup, m: number): HTMLElement {
  const { speed, efficiency, idle, wins, state, counted } = headlineOf(group, m);
  const speeds = [speed.divergent, speed.coherent, speed.all].map((value) => td(orDash(value, ratio)));
  return row([
    th([key(group.series[m].colour), group.mechanisms[m]]),
    ...(group.timed ? speeds : []),
    td(orDash(efficiency, percent)),
    ...(group.timed ? [td(orDash(idle, percent)), td(wins)] : []),
    td(state.toFixed(0)),
    td(`${counted} of ${group.workloads.length}`),
  ]);
}

export function headline(group: RunGroup): Child {
  const [first] = group.mechanisms;
  const headings = group.timed
    ? ["mechanism", `IPC / ${first} divergent`, "coherent", "all", "SIMD eff.", "idle", "fastest on", "state, bits per warp", "counted"]
    : ["mechanism", "SIMD eff.", "state, bits per warp", "counted"];
  const rows = group.mechanisms.map((_, m) => rowOf(group, m));
  const speed = `IPC over that of ${first}: harmonic means; divergent: workloads whose SIMD efficiency under ${first} is ` +
    "below 76 %. Fastest on: of those within 0.5 % of the highest IPC, the first. ";
  return [
    scrolling("mechanisms in one line each", table(headings.map((text) => heading(text)), rows, { class: "headline" })),
    h("p", { class: "soft" }, group.timed && speed, "Efficiency and idle: arithmetic means. State: the most that any " +
      "workload needed. Counted: workloads whose result was right under it and under the first mechanism."),
  ];
}

// Runs that do not count, and why.
export function failures(group: RunGroup): Child {
  const failed = [...group.places()].filter(([w, m]) => group.at(w, m).length > 0 && !group.passed(w, m));
  if (failed.length === 0) return null;
  return folded("Runs that do not count", { class: "failures" }, h("ul", {}, failed.map(([w, m]) =>
    h("li", {}, h("b", {}, `${group.workloads[w]} under ${group.mechanisms[m]}`), `: ${group.outcome(w, m)}. ${group.why(w, m)}`))));
}

// Every result echoes the configuration it was measured on: the keys it reads.
export function machine(group: RunGroup): Child {
  const configs = unique([...group.places()].flatMap(([w, m]) => group.at(w, m)).map((run) => run.config));
  const all = new Map(configs.flatMap((config) => Object.entries(config)));
  const keys = [...all].map(([key, value]) => h("div", {}, h("dt", {}, key), h("dd", {}, String(value))));
  return folded("The machine, key by key", { class: "machine" }, h("dl", {}, keys));
}
