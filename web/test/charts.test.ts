// What the drawings make of numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { newChart } from "../src/charts/chart.ts";
import { csvOf } from "../src/charts/figure.ts";
import { ratioRange } from "../src/charts/look.ts";
import { visible } from "../src/charts/visible.ts";
import { compared } from "../src/shared/sorting.ts";

const chart = newChart("c", {
  groups: "workload", series: ["a", "b", "c"].map((name) => ({ name, colour: "m0" })),
  data: [0, 1, 2].map((series) => ({ group: "v, 1", series, value: series === 1 ? null : series / 3 })),
});

test("small differences do not fill a chart of ratios", () => {
  assert.deepEqual(ratioRange([0.988, 1.004]), [0.9, 1.1]);
  assert.deepEqual(ratioRange([0.5, 1.05]), [0.5, 1.1]);
});

test("a series that is switched off leaves no place behind", () => {
  const shown = visible(chart, new Set(["a"]));
  assert.deepEqual(shown.series.map((each) => each.name), ["b", "c"]);
  assert.deepEqual(shown.data.map((each) => [each.series, each.value]), [[0, null], [1, 2 / 3]]);
});

test("a table of commas has every number to the last digit, and quotes names with commas", () => {
  assert.equal(csvOf(chart), `workload,bar,x,a,b,c\n"v, 1",,,0,,${2 / 3}\n`);
});

test("the largest comes first, what is missing last", () => {
  assert.deepEqual([1, null, 3, 2].sort(compared), [3, 2, 1, null]);
  assert.deepEqual(["b", null, "a"].sort(compared), ["a", "b", null]);
});
