// Columns of a profile: what a line or a branch cost, as text and as a number to sort by.
import type { Profile, ProfileLine, Time } from "../shared/data.ts";
import { grouped, percent } from "../shared/format.ts";
import { nothing, number, td } from "../shared/table.ts";

export interface Column<Of> {
  name: string;
  title: string; // what it means
  cell: (of: Of) => HTMLElement;
}

const causes: Record<string, string> = {
  memory: "a load, store or atomic", result: "the result of an instruction", barrier: "a barrier", stage: "a place in the memory stage",
  unit: "a unit that is busy", fetch: "an instruction that is not in the cache", forming: "a warp that is being formed",
  "no block": "a block", other: "the mechanism",
};
export const causeWords = (cause: string) => causes[cause] ?? cause;

export const waited = (time: Time) => time.cycles - time.issue_cycles;

export function mainCause(time: Time): string {
  const [most] = Object.entries(time.waited).sort(([, a], [, b]) => b - a);
  return most ? most[0] : "";
}

const mean = (sum: number, count: number) => (count > 0 ? number(sum / count, (sum / count).toFixed(1)) : nothing(""));
const share = (part: number, whole: number) => (whole > 0 ? number(part / whole, percent(part / whole)) : nothing(""));
const count = (value: number) => number(value, grouped(value));

function apart(time: Time): HTMLElement {
  if (time.stride === null) return nothing("");
  return time.stride_share < 0.5 ? td("any", { class: "text" }) : number(Math.abs(time.stride), `${Math.abs(time.stride)} B`);
}

const timed = (cell: (time: Time) => HTMLElement) => (line: ProfileLine) => (line.time ? cell(line.time) : nothing(""));

export const timeColumns: Column<ProfileLine>[] = [
  { name: "cycles", title: "cycles of cores: issue and wait", cell: timed((time) => count(time.cycles)) },
  { name: "issue", title: "cycles in which the line was issued", cell: timed((time) => count(time.issue_cycles)) },
  { name: "wait", title: "cycles without an issue that were waited for it", cell: timed((time) => count(waited(time))) },
  { name: "mostly for", title: "what most of the waiting was for", cell: timed((time) => td(mainCause(time), { class: "text", title: causeWords(mainCause(time)) })) },
  { name: "lines per access", title: "lines of the first-level cache per access of a warp", cell: timed((time) => mean(time.lines, time.accesses)) },
  { name: "sectors", title: "of 32 bytes, per access", cell: timed((time) => mean(time.sectors, time.accesses)) },
  { name: "apart", title: "bytes between the addresses of neighbouring threads, mostly", cell: timed(apart) },
  { name: "L1 hits", title: "share of the lines that were in the first level", cell: timed((time) => share(time.hits, time.lines)) },
  { name: "passes", title: "over the banks of shared memory, per access", cell: timed((time) => mean(time.bank_passes, time.shared_accesses)) },
];

export const laneColumns = (profile: Profile): Column<ProfileLine>[] => [
  { name: "lanes lost", title: "warp size × issue slots − active threads", cell: (line) => count(line.lanes_lost) },
  { name: "share lost", title: "of all lanes lost", cell: (line) => share(line.lanes_lost, profile.cost.lanes_lost) },
  { name: "threads per slot", title: "active threads per issue slot", cell: (line) => mean(line.active_threads, line.issue_slots) },
  { name: "diverged", title: "share of its branches whose threads parted", cell: (line) => share(line.diverged, line.branches) },
  { name: "kind", title: "D: depends on data, P: on thread numbers only", cell: (line) => td(line.kind, { class: "text" }) },
  { name: "issue slots", title: "instructions of warps", cell: (line) => count(line.issue_slots) },
  { name: "slots lost", title: "that full warps of the same threads would save", cell: (line) => count(line.slots_lost) },
];
