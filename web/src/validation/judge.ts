// How far heddle is from the hardware, figure by figure.
import type { Beside, Micro, ValidatedKernel, Validation } from "../shared/data.ts";
import { over, sum } from "../shared/numbers.ts";

const warpSize = 32; // of the hardware
export const microGoal = 0.05;

export const errorOf = (value: Beside) => value.simulated / value.hardware - 1;
export const timesOff = (value: Beside) => Math.max(value.simulated / value.hardware, value.hardware / value.simulated);

// Kernels that ended well and were counted on both sides.
export const bothHave = (kernels: ValidatedKernel[], measure: string) =>
  kernels.filter((each) => !each.failure && (each.measures[measure]?.hardware ?? 0) > 0);

export const isNear = (micro: Micro) => !micro.failure && Math.abs(errorOf(micro)) <= microGoal;

// Active lanes of those that were issued.
export function efficiencyOf({ measures }: ValidatedKernel): Beside | null {
  const { instructions: all, thread_instructions: threads } = measures;
  if (!all || !threads || all.hardware <= 0 || all.simulated <= 0) return null;
  return { hardware: threads.hardware / all.hardware / warpSize, simulated: threads.simulated / all.simulated / warpSize };
}

export const worstOf = ({ kernels }: Validation, count: number) =>
  bothHave(kernels, "cycles").sort((a, b) => timesOff(b.measures.cycles) - timesOff(a.measures.cycles)).slice(0, count);

export const mostOf = ({ core_cycles }: ValidatedKernel): string | undefined => Object.keys(core_cycles)[0];

// "memory 62 %, issue 20 %": what took a tenth of the cycles of the cores, or more.
export function spentText({ core_cycles }: ValidatedKernel): string {
  const all = sum(Object.values(core_cycles));
  return Object.entries(core_cycles).map(([what, cycles]) => ({ what, share: over(cycles, all) })).filter(({ share }) => share >= 0.1)
    .map(({ what, share }) => `${what} ${(100 * share).toFixed(0)} %`).join(", ");
}
