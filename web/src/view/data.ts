// What the viewer is given: "heddle-view-1" (docs/json.md).
import type { Packed } from "./column.ts";

export interface KernelText {
  name: string;
  file: string; // of its PTX
  code: string[]; // by PC
  source: number[]; // by PC: which of the sources; -1: none
  line: number[]; // by PC: line of that source
  blocks: [pc: number, label: string][];
  functions: [pc: number, name: string][];
}

export interface Source {
  file: string;
  lines: string[];
}

export interface Launch {
  kernel: number;
  grid: number[];
  block: number[];
  slots: number;
}

export type Shape = [word: string, ...fields: [name: string, kind: "number" | "code" | "threads" | "text"][]];
export type PackedRow = [what: string, number: number, ...entries: number[]];

export interface PackedRecording {
  mechanism: string;
  command: string;
  outcome: string;
  error: string | null;
  warp_size: number;
  timed: boolean;
  issue_cycles: number; // for which a slot takes the issue port
  launches: Launch[];
  slots: number; // that went through the filters; more than count: the rest was cut off
  launches_beside: number;
  count: number;
  events: Record<"launch" | "slot" | "cycle" | "core" | "block" | "warp" | "pc" | "lanes" | "flags", Packed>;
  waits: Record<"launch" | "core" | "from" | "cycles" | "cause" | "pc", Packed> & { count: number; causes: string[] };
  flights: Record<"launch" | "core" | "warp" | "pc" | "issued" | "done" | "missed", Packed> & { count: number };
  lanes: { threads: Packed; phantom: Packed; count: number };
  changes: { event: Packed; place: Packed; row: Packed; count: number };
  sets: string[];
  shapes: Shape[];
  entries: [shape: number, ...values: (number | string)[]][];
  rows: PackedRow[];
}

export interface Example {
  name: string;
  title: string;
  text: string;
  kernels: KernelText[];
  sources: Source[];
  recordings: PackedRecording[];
}

export interface View {
  command: string;
  mechanisms: { name: string; summary: string }[]; // all there are, in the order of the registry
  examples: Example[];
}

const schema = "heddle-view-1";

export function readView(text: string): View {
  const data = JSON.parse(text);
  if (data.schema !== schema) throw new Error(`this page reads ${schema}, not ${data.schema}`);
  return data;
}
