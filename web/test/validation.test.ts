// A simulated GPU beside a real one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "../src/charts/figure.ts";
import { scatterRange } from "../src/charts/scatter.ts";
import type { Validation, ValidatedKernel } from "../src/shared/data.ts";
import { efficiencyOf, isNear, spentText, worstOf } from "../src/validation/judge.ts";
import { scatters } from "../src/validation/scatters.ts";
import { validationAnswer } from "../src/validation/validation.ts";

const kernelOf = (kernel: string, hardware: number, simulated: number, given: Partial<ValidatedKernel> = {}): ValidatedKernel => ({
  workload: "w", kernel, launches: 1, measures: { cycles: { hardware, simulated } }, core_cycles: { memory: 62, issue: 29, "no block": 9 }, ...given,
});

const given: Validation = {
  command: "heddle validate", hardware: { device: "A GPU", core_clock: 1500 },
  machine: { preset: "h200", settings: [], mechanism: "its", size: "paper" },
  micro: [
    { name: "l.a", unit: "cycles", hardware: 100, simulated: 104, least: 100, most: 100 },
    { name: "l.b", unit: "cycles", hardware: 100, simulated: 94, least: 100, most: 100 },
  ],
  kernels: [kernelOf("a", 100, 110), kernelOf("b", 1000, 250), kernelOf("c", 10, 30), kernelOf("d", 10, 1e6, { failure: "gave up" })],
  agreement: { cycles: { count: 3, mean_absolute_error: 0.5, spearman: 0.75, worst_factor: 4 } },
};

test("the answer: the mean, the order, the worst", () => {
  const { title, sentence } = validationAnswer(given);
  assert.equal(title, "Cycles of kernels are 50.0 % from those of A GPU");
  assert.equal(sentence, "Mean absolute error over 3 kernels; rank correlation 0.750; the worst, b of w, is off by 4.00 x. 1 of 2 microbenchmarks within 5 %.");
  assert.equal(validationAnswer({ ...given, kernels: [], agreement: {} }).title, "1 of 2 microbenchmarks within 5 % of A GPU");
});

test("the worst are those that are most times off, too much or too little; what failed is none of them", () => {
  assert.deepEqual(worstOf(given, 2).map((each) => each.kernel), ["b", "c"]);
  assert.deepEqual(worstOf(given, 9).map((each) => each.kernel), ["b", "c", "a"]);
});

test("a microbenchmark that failed is not near", () => {
  assert.deepEqual(given.micro.map(isNear), [true, false]);
  assert.ok(!isNear({ ...given.micro[0], failure: "deadlock" }));
});

test("what took a tenth of the cycles is said", () => assert.equal(spentText(given.kernels[0]), "memory 62 %, issue 29 %"));

test("efficiency is of 32 lanes, where both counted", () => {
  assert.equal(efficiencyOf(given.kernels[0]), null);
  const counted = kernelOf("e", 1, 1, { measures: { instructions: { hardware: 10, simulated: 20 }, thread_instructions: { hardware: 160, simulated: 640 } } });
  assert.deepEqual(efficiencyOf(counted), { hardware: 0.5, simulated: 1 });
});

test("a scatter has a point per kernel that ended well, both axes the same range, and one number in its table", () => {
  const [cycles, instructions] = scatters(given);
  assert.deepEqual(cycles.data.map((each) => [each.bar, each.x, each.value]), [["a", 100, 110], ["b", 1000, 250], ["c", 10, 30]]);
  assert.deepEqual(cycles.series.map((each) => each.name), ["memory"]);
  assert.deepEqual(scatterRange(cycles), [10 / 1.5, 1500]);
  assert.equal(instructions.data.length, 0);
  assert.equal(csvOf(cycles).split("\n")[0], "workload,kernel,A GPU,heddle");
  assert.equal(csvOf(cycles).split("\n")[2], "w,b,1000,250");
});
