// The one table of a page: every mechanism in a line, with how fast it is and on how many workloads it is the fastest.
// It is filled by runs side by side (run_standings.ts), or by heddle reproduce and heddle sweep (head_to_head.ts).
import { key } from "../shared/colours.ts";
import { type Child, h } from "../shared/dom.ts";
import { change, percent, times } from "../shared/format.ts";
import { sortable } from "../shared/sorting.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";
import type { Value } from "../shared/numbers.ts";

export type Class = "divergent" | "coherent";
export const classes: Class[] = ["divergent", "coherent"]; // SIMD efficiency under the first below 76 %, or not

export interface Standing {
  name: string;
  colour: string;
  bound: boolean; // no hardware has it: it wins nothing
  speed: Record<Class | "all", Value>; // over the first
  figures: Record<string, Value>; // by the names of the JSON
  workloads: number; // in its means
  counted: string; // the same in words in its means, where they are not the same for all
}

export interface Contest {
  workload: string;
  class: Class;
  winner: string | null; // the first of those within 0.5 % of the fastest
  tied: string[]; // the others of these
  ratios: Record<string, Value>; // speed over the first
  missing: Record<string, string>; // why there is none
}

export interface Standings {
  what: string; // "mechanism" or "point"
  speed: string; // what is compared: "IPC"
  speedField: string; // its name in the JSON: "ipc"
  timed: boolean;
  rows: Standing[];
  contests: Contest[];
  means: string; // what the means are over, as a sentence
}

export const firstOf = (standings: Standings) => standings.rows[0]?.name ?? "";
export const winsOf = (standings: Standings, name: string) => standings.contests.filter((each) => each.winner === name);

// "3 + 1, 2 tied": divergent + coherent workloads, and on how many of them others are as fast.
export function winsText(standings: Standings, name: string): string {
  const wins = winsOf(standings, name), tied = wins.filter((each) => each.tied.length > 0).length;
  const sum = classes.map((which) => wins.filter((each) => each.class === which).length).join(" + ");
  return tied > 0 ? `${sum}, ${tied} tied` : sum;
}

interface Column {
  field: string;
  heading: string;
  text: (value: number) => string;
  ofClock?: boolean;
}

const columns: Column[] = [
  { field: "simd_efficiency", heading: "SIMD eff.", text: percent },
  { field: "idle", heading: "idle", text: percent, ofClock: true },
  { field: "memory_stalls_against_first", heading: "memory stalls", text: times, ofClock: true },
  { field: "state_bits_per_warp", heading: "bits per warp", text: (value) => value.toFixed(0) },
  { field: "refused", heading: "refused", text: (value) => value.toFixed(0) },
  { field: "failed", heading: "wrong", text: (value) => value.toFixed(0) },
];

const cellOf = (value: Value | undefined, text: (value: number) => string, field: string) =>
  typeof value === "number" ? number(value, text(value), { "data-field": field }) : nothing();

function rowOf(standings: Standings, each: Standing, shown: Column[], counted: boolean): HTMLElement {
  const speeds = ([...classes, "all"] as const).map((which) => cellOf(each.speed[which], change, `${standings.speedField}_${which}`));
  const wins = winsOf(standings, each.name);
  const won = wins.map(({ workload, tied }) => workload + (tied.length > 0 ? ` (tied: ${tied.join(", ")})` : "")).join("; ");
  return row([
    th([key(each.colour), each.name]), ...speeds,
    each.bound ? nothing("a bound") : td(winsText(standings, each.name), { "data-value": wins.length, title: won }),
    ...shown.map(({ field, text }) => cellOf(each.figures[field], text, field)),
    ...(counted ? [td(each.counted)] : []),
  ]);
}

function explained(standings: Standings): string {
  const first = firstOf(standings), bounds = standings.rows.some((each) => each.bound);
  return `${standings.speed} over that of ${first}: harmonic means over ${standings.means}; divergent: workloads whose SIMD ` +
    `efficiency under ${first} is below 76 %. Fastest on: divergent + coherent workloads, each counted once, for the first of ` +
    `those within 0.5 % of the fastest; tied: on so many of them others are as fast.${bounds ? " Bounds, which no hardware has, win nothing." : ""} ` +
    `Efficiency${standings.timed ? " and idle" : ""}: arithmetic means. ${standings.timed ? `Memory stalls: cycles, summed, over those of ${first}. ` : ""}` +
    "Bits per warp: the most state that any workload needed. A click on a heading sorts.";
}

export function standingsTable(standings: Standings): Child {
  const shown = columns.filter(({ field, ofClock }) =>
    (standings.timed || !ofClock) && standings.rows.some((each) => typeof each.figures[field] === "number"));
  const counted = standings.rows.some((each) => each.counted !== "");
  const headings = [standings.what, `${standings.speed}: divergent`, "coherent", "all", "fastest on",
    ...shown.map((column) => column.heading), ...(counted ? ["counted"] : [])];
  const rows = standings.rows.map((each) => rowOf(standings, each, shown, counted));
  return [
    scrolling(`every ${standings.what} in a line`, sortable(table(headings.map((text) => heading(text)), rows, { class: "standings" }))),
    h("p", { class: "soft small" }, explained(standings)),
  ];
}
