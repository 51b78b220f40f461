// One chart: what it shows, its numbers, and the command that makes them again. The page draws it, and sets the same
// numbers as a table below.
import { grouped, percent, ratio } from "../shared/format.ts";
import type { Value } from "../shared/numbers.ts";

export type Kind =
  | "bars" // a group of bars per workload, one per series
  | "stack" // the same, each bar (`bar`) a stack of series
  | "lines" // series over `x`
  | "scatter" // a point per group and bar, `x` of one kind and `value` of another; series are colours only
  | "heat"; // a row per workload, a field per series, shaded by its value: for what would be hundreds of bars

export type Unit = "ratio" | "share" | "count"; // count: of any size; a scatter of these has logarithmic axes

export interface Series {
  name: string;
  colour: string;
}

export interface Datum {
  group: string; // of bars: a workload, or a mean
  bar?: string; // stack, scatter: which. heat: a class of rows
  series: number;
  x?: number; // lines, scatter; Infinity is "no limit"
  value: Value; // null: `note` says why
  note?: string;
  best?: boolean; // heat: marked, of its row
  named?: boolean; // scatter: its name stands beside it
}

export type Drawn = Datum & { value: number };

export interface Chart {
  kind: Kind;
  unit: Unit;
  id: string;
  title: string;
  caption: string;
  values: string; // what the axes are called, with units
  groups: string;
  across?: string; // scatter: what `x` is
  from: number; // where bars begin; of a heat chart, the value that has no shade
  yardstick: boolean; // bars: the first series is what the others are measured by, and has no bars
  folded: boolean; // shown when it is asked for
  command: string;
  series: Series[];
  data: Datum[];
}

export const newChart = (id: string, given: Partial<Chart> = {}): Chart => ({
  kind: "bars", unit: "ratio", id, title: "", caption: "", values: "", groups: "", from: 0, yardstick: false,
  folded: false, command: "", series: [], data: [], ...given,
});

export const drawn = (chart: Chart): Drawn[] => chart.data.filter((datum): datum is Drawn => datum.value !== null);
export const isEmpty = (chart: Chart) => drawn(chart).length === 0;

const texts: Record<Unit, (value: number) => string> = { ratio, share: percent, count: grouped };
export const valueText = (chart: Chart, value: number) => texts[chart.unit](value);
export const xText = (x: number) => (x === Infinity ? "no limit" : String(x));
