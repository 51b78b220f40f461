// A simulated GPU beside a real one: how far apart they are, then where.
import { isEmpty } from "../charts/chart.ts";
import { figure } from "../charts/figure.ts";
import type { Validation } from "../shared/data.ts";
import { h } from "../shared/dom.ts";
import { counted, percent, times } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { isNear, microGoal, worstOf } from "./judge.ts";
import { scatters } from "./scatters.ts";
import { agreementTable, kernelTable, microTables, worstTable } from "./tables.ts";

const namedWorst = 5;

interface Answer {
  title: string;
  sentence: string;
}

export function validationAnswer(validation: Validation): Answer {
  const { micro, agreement: { cycles }, hardware: { device }, machine } = validation;
  const near = `${micro.filter(isNear).length} of ${counted(micro.length, "microbenchmark")} within ${100 * microGoal} %`;
  if (!cycles) return { title: `${near} of ${device}`, sentence: `The machine is ${machine.preset}, at the clock of the measurement.` };
  const [worst] = worstOf(validation, 1);
  return {
    title: `Cycles of kernels are ${percent(cycles.mean_absolute_error)} from those of ${device}`,
    sentence: `Mean absolute error over ${counted(cycles.count, "kernel")}; rank correlation ${cycles.spearman.toFixed(3)}; the worst, ` +
      `${worst.kernel} of ${worst.workload}, is off by ${times(cycles.worst_factor)}.${micro.length > 0 ? ` ${near}.` : ""}`,
  };
}

function addKernels(page: Page, validation: Validation, suffix: string): void {
  page.heading(`validation${suffix}`, `${validation.machine.preset} beside ${validation.hardware.device}`);
  page.add(h("p", { class: "soft" }, `The hardware ran at ${validation.hardware.core_clock} MHz, and so does the simulated machine; caches are ` +
    `empty at every launch on both. Workloads of size ${validation.machine.size}.`), agreementTable(validation));
  page.heading(`furthest${suffix}`, "The kernels that are furthest off");
  page.add(h("p", { class: "soft" }, "And what else is off there: a kernel whose instructions or sectors agree is wrong in its timing alone."),
    worstTable(validation, namedWorst));
  page.heading(`beside${suffix}`, "Kernel by kernel");
  page.add(h("div", { class: "pairs" },
    scatters(validation).filter((chart) => !isEmpty(chart)).map((chart) => figure({ ...chart, id: chart.id + suffix })).flat()));
  page.add(kernelTable(validation));
}

export function addValidation(page: Page, validation: Validation, suffix: string): void {
  const { title, sentence } = validationAnswer(validation);
  page.answer(title, sentence);
  if (validation.kernels.length > 0) addKernels(page, validation, suffix);
  if (validation.micro.length === 0) return;
  page.heading(`micro${suffix}`, "Microbenchmarks");
  page.add(h("p", { class: "soft" }, `Each measures one thing, by the same kernel on both. A bar reaches the edge where it is two times off; the band is ${100 * microGoal} %.`),
    microTables(validation));
}
