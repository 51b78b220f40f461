// Every kernel a point: the hardware's figure across, heddle's upwards.
import { type Chart, type Datum, newChart, type Series, type Unit } from "../charts/chart.ts";
import type { Beside, ValidatedKernel, Validation } from "../shared/data.ts";
import { change } from "../shared/format.ts";
import { bothHave, efficiencyOf, errorOf, mostOf, spentText, worstOf } from "./judge.ts";

// What the simulated cores spent most of their cycles on, and its colour.
const causes: Series[] = [
  { name: "issue", colour: "w5" }, { name: "memory", colour: "mem" }, { name: "pipeline", colour: "stall" },
  { name: "other waits", colour: "m10" }, { name: "no block", colour: "m0" },
];
const causeOf = (kernel: ValidatedKernel) => Math.max(0, causes.findIndex(({ name }) => name === mostOf(kernel)));

type Figure = (kernel: ValidatedKernel) => Beside | null;

function scatter(validation: Validation, unit: Unit, given: Partial<Chart> & { id: string }, figure: Figure): Chart {
  const worst = worstOf(validation, 5);
  const data = validation.kernels.flatMap((kernel): Datum[] => {
    const value = figure(kernel);
    if (!value) return [];
    const note = [unit === "count" ? change(1 + errorOf(value)) : "", spentText(kernel)].filter((text) => text !== "").join("; ");
    return [{ group: kernel.workload, bar: kernel.kernel, series: causeOf(kernel), x: value.hardware, value: value.simulated, note, named: given.id === "beside-cycles" && worst.includes(kernel) }];
  });
  const used = causes.map((_, i) => i).filter((i) => data.some((datum) => datum.series === i));
  return newChart(given.id, {
    ...given, kind: "scatter", unit, groups: "workload", across: validation.hardware.device, values: "heddle", command: validation.command,
    series: used.map((i) => causes[i]), data: data.map((datum) => ({ ...datum, series: used.indexOf(datum.series) })),
  });
}

const measured = (validation: Validation, measure: string): Figure => {
  const kernels = bothHave(validation.kernels, measure);
  return (kernel) => (kernels.includes(kernel) ? kernel.measures[measure] : null);
};

const counts: { measure: string; title: string; caption: string }[] = [
  { measure: "cycles", title: "Cycles of kernels", caption: "Summed over the launches of a kernel. On the line: as the hardware; beyond a broken line: off by more than two times. " +
    "The colour is what the simulated cores spent most of their cycles on; the five furthest off are named." },
  { measure: "instructions", title: "Machine instructions", caption: "Warp instructions as the hardware counts them: what it executes, not what PTX says." },
  { measure: "l1_sectors", title: "L1 sectors", caption: "Sectors of 32 bytes asked of the L1." },
  { measure: "l2_sectors", title: "L2 sectors", caption: "Sectors of 32 bytes asked of the L2 by the cores." },
];

export const scatters = (validation: Validation): Chart[] => [
  ...counts.map(({ measure, title, caption }) =>
    scatter(validation, "count", { id: `beside-${measure.replaceAll("_", "-")}`, title, caption }, measured(validation, measure))),
  scatter(validation, "share", {
    id: "beside-efficiency", title: "SIMD efficiency", caption: "Threads per warp instruction, of 32, where both counted them.",
  }, (kernel) => (kernel.failure ? null : efficiencyOf(kernel))),
];
