// Runs that can be laid side by side: the same machine and size; workloads × mechanisms.
import { mechanismColour } from "../shared/colours.ts";
import type { Series } from "../charts/chart.ts";
import type { Results, Run, Total } from "../shared/data.ts";
import { over, sum, unique, type Value } from "../shared/numbers.ts";
import { machineOptions, titleOf, wordsOf } from "../shared/machine.ts";

export class RunGroup {
  readonly words: string; // the options that choose the machine again: "--size small --preset tbc-hpca11"
  readonly title: string; // the machine as a heading: "tbc-hpca11, small"
  readonly inputs: string; // the size of the workloads
  readonly timed: boolean;
  readonly workloads: string[];
  readonly mechanisms: string[]; // the first is the yardstick
  readonly series: Series[]; // one per mechanism
  private readonly cells: Run[][]; // workload by workload, mechanism by mechanism; may be none

  constructor(readonly runs: Run[], results: Results) {
    const options = machineOptions(runs[0]);
    this.words = wordsOf(options);
    this.title = titleOf(options);
    this.inputs = runs[0].size ?? "";
    this.timed = runs[0].fidelity === "cycle";
    this.workloads = unique(runs.map((run) => run.program));
    this.mechanisms = unique(runs.map((run) => run.mechanism));
    if (results.of_folder) {
      const rank = (name: string) => [...results.mechanisms, name].indexOf(name);
      this.mechanisms.sort((a, b) => rank(a) - rank(b));
      this.workloads.sort();
    }
    this.series = this.mechanisms.map((name) => ({ name, colour: mechanismColour(name) }));
    this.cells = this.workloads.flatMap((workload) =>
      this.mechanisms.map((mechanism) => runs.filter((run) => run.program === workload && run.mechanism === mechanism)));
  }

  at(workload: number, mechanism: number): Run[] {
    return this.cells[workload * this.mechanisms.length + mechanism];
  }

  get size(): number { return this.cells.length; }

  // Workload and mechanism of every cell, workload by workload.
  *places(): Generator<[workload: number, mechanism: number]> {
    for (let w = 0; w < this.workloads.length; ++w)
      for (let m = 0; m < this.mechanisms.length; ++m) yield [w, m];
  }

  // The total of a run that passed and has this in it.
  with(workload: number, mechanism: number, field: keyof Total): Run | undefined {
    return this.at(workload, mechanism).find((run) => run.exit_code === 0 && run.total[field] !== undefined);
  }

  has(field: keyof Total): boolean {
    return [...this.places()].some(([w, m]) => this.with(w, m, field));
  }

  passed(workload: number, mechanism: number): boolean {
    return this.at(workload, mechanism).some((run) => run.exit_code === 0);
  }

  outcome(workload: number, mechanism: number): string { // "passed", "refused", …; "" without a run
    if (this.passed(workload, mechanism)) return "passed";
    return this.at(workload, mechanism)[0]?.outcome ?? "";
  }

  why(workload: number, mechanism: number): string { // what went wrong
    if (this.passed(workload, mechanism)) return "";
    const run = this.at(workload, mechanism)[0];
    return run?.error ?? run?.check?.detail ?? "";
  }

  // A number of the total of a run that passed.
  number(workload: number, mechanism: number, field: keyof Total): Value {
    const value = this.with(workload, mechanism, field)?.total[field];
    return typeof value === "number" ? value : null;
  }

  // The same over that of the first mechanism.
  againstFirst(workload: number, mechanism: number, field: keyof Total): Value {
    const own = this.number(workload, mechanism, field), first = this.number(workload, 0, field);
    return own !== null && first !== null && first !== 0 ? own / first : null;
  }

  // Share of the cycles of all cores.
  share(workload: number, mechanism: number, field: "idle_cycles" | "empty_cycles" | "memory_stall_cycles"): Value {
    const cycles = this.number(workload, mechanism, field);
    const all = sum(Object.values(this.with(workload, mechanism, "breakdown")?.total.breakdown ?? {}));
    return cycles !== null && all > 0 ? over(cycles, all) : null;
  }

  // What makes these runs again.
  command(more = ""): string {
    const options = more === "" ? this.words : `${this.words} ${more}`;
    if (this.workloads.some((name) => name.includes("/") || name.endsWith(".ptx"))) {
      const own = this.cells.flat()[0].command;
      const [before, program] = (own ?? `heddle run ${this.workloads[0]} --mechanism ${this.mechanisms[0]} ${options} …`).split(/( -- .*)/s);
      return `${before} --json run.json${program ?? ""}`;  // what stands behind -- is the program's
    }
    return `heddle compare ${this.workloads.join(" ")} --mechanisms ${this.mechanisms.join(",")} ${options} --json results.json`;
  }
}

export function byWords(runs: Run[], words: (run: Run) => string): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = words(run), group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return groups;
}

// By machine: those of many mechanisms first, then the largest. Mechanisms are in the order of their runs; in a folder,
// of the registry.
export function groupsOf(results: Results): RunGroup[] {
  const machines = byWords(results.runs, (run) => wordsOf(machineOptions(run)));
  const groups = [...machines.values()].map((runs) => new RunGroup(runs, results));
  const columns = (group: RunGroup) => Math.min(group.mechanisms.length, 3);
  return groups.sort((a, b) => columns(b) - columns(a) || b.size - a.size);
}
