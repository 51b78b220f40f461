// Curves over one key of the machine (warp_size, capt_entries, fetch_group …), found among runs that differ in nothing
// else.
import { type Chart, type Datum, newChart } from "../charts/chart.ts";
import { mechanismColour } from "../shared/colours.ts";
import type { Option, Results, Run } from "../shared/data.ts";
import { harmonicMean, mean, unique } from "../shared/numbers.ts";
import { machineOptions, titleOf, wordsOf } from "../shared/machine.ts";
import { byWords } from "./run_group.ts";

// What the papers call it.
const known: Record<string, { name: string; zeroIsNoLimit?: boolean }> = {
  capt_entries: { name: "CAPT size (rows of the prediction table)", zeroIsNoLimit: true },
  warp_size: { name: "warp size (threads)" },
  fetch_group: { name: "fetch group (warps)" },
  large_warp_size: { name: "large warp size (threads)" },
};

const fewestPoints = 3; // of a curve

type Point = Map<string, number>; // workload → figure
type Curve = Map<number, Point>; // by value of the key

interface Sweep {
  options: Option[]; // the machine
  timed: boolean;
  curves: Map<string, Curve>; // by mechanism
}

// Numeric keys that have several values among these runs.
function varyingKeys(runs: Run[]): string[] {
  const values = new Map<string, Set<number>>();
  for (const config of unique(runs.map((run) => run.config)))
    for (const [key, value] of Object.entries(config))
      if (typeof value === "number") values.set(key, (values.get(key) ?? new Set()).add(value));
  return [...values].filter(([, of]) => of.size > 1).map(([key]) => key).sort();
}

const placeOnAxis = (key: string, value: number) => (known[key]?.zeroIsNoLimit && value === 0 ? Infinity : value);

function entry<Key, Value>(map: Map<Key, Value>, key: Key, fresh: () => Value): Value {
  if (!map.has(key)) map.set(key, fresh());
  return map.get(key) as Value;
}

const sorted = <Value>(map: Map<number, Value>) => new Map([...map].sort(([a], [b]) => a - b));
const longEnough = (curves: Map<string, Curve>) => new Map([...curves].filter(([, curve]) => curve.size >= fewestPoints));
const points = (sweep: Sweep) => [...sweep.curves.values()].flatMap((curve) => [...curve.values()]);

function sweepOf(key: string, runs: Run[]): Sweep {
  const timed = runs[0].fidelity === "cycle", curves = new Map<string, Curve>();
  for (const run of runs) {
    const figure = (timed ? run.total.ipc : run.total.simd_efficiency) ?? 0;
    if (figure <= 0) continue;
    const curve = entry(curves, run.mechanism, (): Curve => new Map());
    entry(curve, placeOnAxis(key, run.config[key] as number), (): Point => new Map()).set(run.program, figure);
  }
  const inOrder = [...longEnough(curves)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, curve]) => [name, sorted(curve)] as const);
  return { options: machineOptions(runs[0], key), timed, curves: new Map(inOrder) };
}

function sweepsOver(key: string, runs: Run[]): Sweep[] {
  const counting = runs.filter((run) => run.exit_code === 0 && typeof run.config[key] === "number");
  const machines = [...byWords(counting, (run) => wordsOf(machineOptions(run, key)))];
  return machines.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => sweepOf(key, of)).filter((sweep) => sweep.curves.size > 0);
}

// Workloads that all points of all curves have.
function commonWorkloads(sweep: Sweep): string[] {
  const [first, ...rest] = points(sweep);
  return first ? [...first.keys()].filter((workload) => rest.every((point) => point.has(workload))).sort() : [];
}

function pointsWith(workloads: number, sweep: Sweep): Sweep {
  const rich = (curve: Curve) => new Map([...curve].filter(([, point]) => point.size >= workloads));
  return { ...sweep, curves: longEnough(new Map([...sweep.curves].map(([name, curve]) => [name, rich(curve)]))) };
}

// Where some points were measured with few workloads: the others, so that the curve stands for more workloads.
function withoutPoorPoints(sweep: Sweep): Sweep {
  let best = sweep;
  for (const size of unique(points(sweep).map((point) => point.size)).sort((a, b) => a - b)) {
    const rest = pointsWith(size, sweep);
    if (commonWorkloads(rest).length > commonWorkloads(best).length) best = rest;
  }
  return best;
}

function dataOf(sweep: Sweep, workloads: string[]): Datum[] {
  const fold = sweep.timed ? harmonicMean : mean;
  const data = [...sweep.curves.values()].flatMap((curve, series) => [...curve].map(([x, point]) => ({
    group: "", series, x, value: fold(workloads.map((workload) => point.get(workload) as number)),
  })));
  return data.sort((a, b) => (a.x < b.x ? -1 : a.x > b.x ? 1 : 0));
}

function chartOf(key: string, sweep: Sweep, workloads: string[]): Chart {
  const name = known[key]?.name ?? key, mechanisms = [...sweep.curves.keys()], data = dataOf(sweep, workloads);
  const values = unique(data.map(({ x }) => (x === Infinity ? 0 : x)));
  const howMany = workloads.length === 1 ? "one workload" : `${workloads.length} workloads`;
  return newChart(`curve-${key}`, {
    kind: "lines", unit: sweep.timed ? "ratio" : "share",
    title: `${sweep.timed ? "Instructions per cycle" : "SIMD efficiency"} by ${name}`,
    caption: `${sweep.timed ? "Harmonic" : "Arithmetic"} mean of ${howMany}: ${workloads.join(", ")}. The axis need not ` +
      `begin at 0. Machine: ${titleOf(sweep.options)}.`,
    values: sweep.timed ? "IPC (thread instructions per cycle)" : "active lanes, % of those issued", groups: name,
    series: mechanisms.map((mechanism) => ({ name: mechanism, colour: mechanismColour(mechanism) })), data,
    command: `for n in ${values.join(" ")}; do heddle compare ${workloads.join(" ")} --mechanisms ${mechanisms.join(",")} ` +
      `${wordsOf(sweep.options)} --set ${key}=$n --json results/${key}-$n.json; done`,
  });
}

export function sweepCharts(results: Results): Chart[] {
  return varyingKeys(results.runs).flatMap((key) => {
    const charts: Chart[] = [];
    const add = (sweep: Sweep, workloads: string[]) => {
      if (workloads.length === 0) return;
      const chart = chartOf(key, sweep, workloads);
      charts.push(charts.length === 0 ? chart : { ...chart, id: `${chart.id}-${charts.length + 1}` });
    };
    for (const sweep of sweepsOver(key, results.runs)) {
      const all = commonWorkloads(sweep), rest = withoutPoorPoints(sweep), more = commonWorkloads(rest);
      add(sweep, all);
      if (more.length > all.length) add(rest, more);
    }
    return charts;
  });
}
