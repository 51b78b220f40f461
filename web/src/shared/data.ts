// What a page is made from: the JSON that heddle puts into it (docs/json.md, "The data of a page").

export type Config = Record<string, string | number | boolean>;
export type Option = [name: string, value: string]; // ["--set", "warp_size=16"]; a flag has the value ""

export interface Rates {
  paths: number;
  rates: Record<string, number> | null;
}

export interface Total {
  simd_efficiency: number;
  issue_slots: number;
  active_threads: number[];
  state_bits_per_warp: number;
  ipc?: number;
  idle_cycles?: number;
  empty_cycles?: number; // of these, those without a block
  memory_stall_cycles?: number;
  breakdown?: Record<string, number>;
  traffic?: { request_bytes: number; reply_bytes: number };
  compaction?: { P?: Rates; D?: Rates };
  decisions?: Record<string, number>;
}

// What a check found; the later of two accesses comes first.
export interface Finding {
  check: string;
  kind: string;
  title: string;
  harmless: boolean;
  kernel: string | null;
  what: string;
  count: number;
  accesses: { what: string; thread: string; where: string; text: string }[];
}

export interface Run {
  program: string;
  mechanism: string;
  size: string | null;
  preset: string | null;
  fidelity: "cycle" | "emulation";
  exit_code: number;
  outcome: string;
  error: string | null;
  check?: { passed: boolean; detail: string } | null;
  checks?: { asked: string[]; findings: Finding[] }; // where --check was asked for
  config: Config;
  options: Option[]; // what chooses its machine again
  command?: string; // what makes it again; a kept result has none
  total: Total;
}

export interface Cost {
  issue_slots: number;
  active_threads: number;
  lanes_lost: number;
  slots_lost: number;
}

// Cycles of cores, and accesses to memory; null without a clock.
export interface Time {
  cycles: number;
  issue_cycles: number;
  waited: Record<string, number>; // by cause
  accesses: number;
  lines: number;
  sectors: number;
  hits: number;
  shared_accesses: number;
  bank_passes: number;
  stride: number | null;
  stride_share: number;
}

export interface Answer {
  bound: string;
  file: string | null;
  line: number | null;
  sentence: string;
  advice: string;
}

export interface ProfileKernel extends Cost {
  name: string;
  launches: number;
  cycles: number;
  answer: Answer;
}

export interface Saved {
  slots: number;
  cycles: number;
}

export interface WhatIf {
  mechanism: string;
  problem: string | null;
  saved?: Saved;
  branches?: Saved[];
}

export interface ProfileLine extends Cost {
  time?: Time | null;
  file: string;
  line: number;
  branches: number;
  diverged: number;
  kind: string | null;
}

export interface ProfileBranch {
  file: string;
  line: number;
  instruction: string;
  executed: number;
  diverged: number;
  kind: string | null;
  lanes_lost: number;
  slots_lost: number;
  time_inside?: Time | null;
}

export interface Profile extends Run {
  answer?: Answer; // an older heddle gave none, nor the next three
  time?: (Time & { core_cycles: number; charged_to_no_line: Record<string, number> }) | null;
  kernels?: ProfileKernel[];
  what_if?: WhatIf[];
  cost: Cost & { lanes_lost_by_no_branch: number };
  lines: ProfileLine[];
  branches: ProfileBranch[];
  sources: { file: string; lines: string[] }[];
}

export interface ClaimLine {
  id: string;
  what: string;
  paper: string;
  ours: string;
  verdict: string;
  part: number | null; // whose figure `ours` is
}

export interface Claim {
  id: string;
  verdict: string;
  remark: string;
  lines: ClaimLine[];
  parts: { figure: number | null; workloads: { workload: string; text: string; verdict?: string }[] }[];
}

// Claims measured again with one thing changed.
export interface Variant {
  name: string;
  all_claims: boolean;
  claims: Claim[];
}

// How far plausible values of the machine move a figure.
export interface Swing {
  claim: string;
  part: string;
  verdict: string;
  ours: SwingEnd;
  least: SwingEnd;
  most: SwingEnd;
  turned_by: string[];
}
export interface SwingEnd {
  figure: number;
  text: string;
  by: string; // the value that makes it; "" for the preset's own
}

export interface Contender {
  name: string;
  bound?: boolean;
  [figure: string]: number | string | boolean | null | undefined;
}

export interface Contest {
  workload: string;
  class: string;
  in_means: boolean;
  winner: string | null;
  tied?: string[];
  missing?: Record<string, string>;
  [againstFirst: string]: unknown; // ipc_against_first, or without a clock active_threads_per_slot_against_first
}

export interface HeadToHead {
  mechanisms: Contender[];
  workloads: Contest[];
}

export interface SweepResult {
  command: string;
  head_to_head: HeadToHead;
}

export interface Experiment {
  name: string;
  title: string;
  size: string;
  file?: string;
  claims: Claim[];
  variants?: Variant[];
  sensitivity?: Swing[];
  head_to_head?: HeadToHead;
}

// A program that a paper ran, on one machine under one mechanism.
export interface Original {
  workload: string;
  program: string;
  compiler: string;
  machine: string;
  mechanism: string;
  exit_code?: number;
  thread_instructions: number;
  simd_efficiency: number;
  deepest: number;
  over_pdom: number | null;
}

export interface Reproduction {
  quick: boolean;
  originals?: Original[];
  experiments: Experiment[];
}

// A figure of the hardware and that of heddle.
export interface Beside {
  hardware: number;
  simulated: number;
}

export interface Micro extends Beside {
  name: string;
  unit: string;
  least: number; // of the hardware's repetitions
  most: number;
  failure?: string; // then there is no `simulated`
}

export interface ValidatedKernel {
  workload: string;
  kernel: string;
  launches: number;
  measures: Record<string, Beside>;
  core_cycles: Record<string, number>; // of the simulated cores, by what they were spent on; the most first
  failure?: string;
}

export interface Agreement {
  count: number;
  mean_absolute_error: number;
  spearman: number;
  worst_factor: number;
}

export interface Validation {
  command: string;
  hardware: { device: string; core_clock: number };
  machine: { preset: string; settings: string[]; mechanism: string; size: string };
  micro: Micro[];
  kernels: ValidatedKernel[];
  agreement: Record<string, Agreement>;
}

export interface Results {
  command: string; // what makes the page again
  of_folder: boolean; // nobody chose an order of the mechanisms
  mechanisms: string[]; // all there are, in the order of the registry
  runs: Run[];
  profiles: Profile[];
  sweeps: SweepResult[];
  reproductions: Reproduction[];
  validations: Validation[];
  not_read: string[];
}

const schema = "heddle-page-1";

// Runs of one machine share its configuration: they carry its place in `machines`.
export function readResults(text: string): Results {
  const data = JSON.parse(text);
  if (data.schema !== schema) throw new Error(`this page reads ${schema}, not ${data.schema}`);
  for (const run of [...data.runs, ...data.profiles]) run.config = data.machines[run.config];
  return data;
}
