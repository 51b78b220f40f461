// All mechanisms on one machine, as heddle reproduce has laid them side by side.
import { type Chart, newChart } from "../charts/chart.ts";
import { mechanismColour } from "../shared/colours.ts";
import type { Contender, Contest, Experiment } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { change, percent, times } from "../shared/format.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";

type HeadToHead = NonNullable<Experiment["head_to_head"]>;

const firstOf = (given: HeadToHead) => given.mechanisms[0]?.name ?? "";
const count = (value: number) => value.toFixed(0);
const classes = ["divergent", "coherent"];

const before: [field: string, heading: string, text: (value: number) => string][] = [
  ["ipc_divergent", "IPC: divergent", change],
  ["ipc_coherent", "coherent", change],
  ["ipc_all", "all", change],
  ["simd_efficiency", "SIMD eff.", percent],
  ["idle", "idle", percent],
  ["memory_stalls_against_first", "memory stalls", times],
  ["state_bits_per_warp", "bits per warp", count],
];
const after: typeof before = [["refused", "refused", count], ["failed", "wrong", count]];

const of = (given: HeadToHead, which: string, counts: (each: Contest) => boolean) =>
  given.workloads.filter((each) => each.class === which && counts(each)).length;

function rowOf(given: HeadToHead, mechanism: Contender): HTMLElement {
  const cells = (columns: typeof before) => columns.map(([field, , text]) => {
    const value = mechanism[field];
    return typeof value === "number" ? number(value, text(value), { "data-field": field }) : nothing();
  });
  const wins = classes.map((which) => of(given, which, (each) => each.winner === mechanism.name)).join(" + ");
  return row([th(mechanism.name), ...cells(before), td(wins), ...cells(after)]);
}

// Every mechanism in a line.
export function contenders(given: HeadToHead): Child {
  const first = firstOf(given), [divergent, coherent] = classes.map((which) => of(given, which, (each) => each.in_means));
  const headings = ["mechanism", ...before.map(([, text]) => text), "fastest on", ...after.map(([, text]) => text)];
  const rows = given.mechanisms.map((mechanism) => rowOf(given, mechanism));
  return [
    scrolling("mechanisms in one line each", table(headings.map((text) => heading(text)), rows, { class: "headline contenders" })),
    h("p", { class: "soft" }, `IPC over that of ${first}: harmonic means over the ${divergent} divergent (SIMD efficiency ` +
      `under ${first} below 76 %) and ${coherent} coherent workloads that all of them ran right. Efficiency and idle: ` +
      `arithmetic means. Memory stalls: cycles, summed, over those of ${first}. Bits per warp: the most that any workload ` +
      "needed. Fastest on: divergent + coherent workloads; of those within 0.5 % of the highest IPC the first; bounds that " +
      "no hardware has win nothing. Where cores are mostly idle, the inputs do not fill the machine, and ranks say little."),
  ];
}

// Means.
export function contendersChart(given: HeadToHead, command: string): Chart {
  const first = firstOf(given);
  const fields = [["ipc_divergent", "divergent", "m5"], ["ipc_coherent", "coherent", "m3"], ["ipc_all", "all", "m0"]];
  return newChart("contenders", {
    title: `Mean speed of all mechanisms against ${first}, on divergent and on coherent workloads`,
    caption: `Instructions per cycle over those of ${first}: harmonic means over the workloads that every mechanism ran ` +
      "right. Bars to the right are faster, to the left slower.",
    values: `IPC / IPC of ${first}`, groups: "mechanism", from: 1, command,
    series: fields.map(([, name, colour]) => ({ name, colour })),
    data: given.mechanisms.flatMap((mechanism) => fields.map(([field], series) => {
      const value = mechanism[field];
      return { group: mechanism.name, series, value: typeof value === "number" ? value : null };
    })),
  });
}

// Workload by workload.
export function contestsChart(given: HeadToHead, command: string, registry: string[]): Chart {
  const first = firstOf(given), names = given.mechanisms.map((mechanism) => mechanism.name);
  const data = classes.flatMap((which) => given.workloads.filter((each) => each.class === which).flatMap((contest) =>
    names.map((name, series) => {
      const value = contest.ipc_against_first[name] ?? null;
      const note = value === null ? contest.missing?.[name] ?? "" : "";
      return { group: contest.workload, bar: which, series, value, note, best: contest.winner === name };
    })));
  return newChart("contests", {
    kind: "heat",
    title: "Which mechanism wins where",
    caption: `Instructions per cycle over those of ${first}, workload by workload; divergent workloads above, coherent ` +
      "ones below. Blue is faster, orange slower; the fastest has a frame.",
    values: `IPC / IPC of ${first}`, groups: "workload", from: 1, command,
    series: names.map((name) => ({ name, colour: mechanismColour(registry, name) })), data,
  });
}
