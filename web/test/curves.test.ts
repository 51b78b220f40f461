// Curves over a key of the machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepCharts } from "../src/report/sweeps.ts";
import { curveRange } from "../src/charts/lines.ts";
import { resultsOf, runOf } from "./made_up.ts";

const run = (workload: string, rows: number, ipc: number) => runOf(workload, "capri", ipc, { config: { warp_size: 32, capt_entries: rows } });

test("a curve is found among runs that differ in one key", () => {
  const runs = [[8, 1], [16, 2], [32, 3], [0, 4]].flatMap(([rows, ipc]) => ["v", "w"].map((workload) => run(workload, rows, ipc)));
  const [chart, ...others] = sweepCharts(resultsOf(runs));
  assert.equal(others.length, 0);
  assert.equal(chart.id, "curve-capt_entries");
  assert.deepEqual(chart.data.map((datum) => [datum.x, datum.value]), [[8, 1], [16, 2], [32, 3], [Infinity, 4]]); // no limit is last
  assert.ok(chart.command.startsWith(
    "for n in 8 16 32 0; do heddle compare v w --mechanisms capri --size small --preset tbc-hpca11 --set capt_entries=$n "), chart.command);
  assert.ok(chart.caption.includes("Machine: tbc-hpca11, small."));
});

test("the mean of a point is harmonic", () => {
  const runs = [2, 4, 8].flatMap((rows) => [run("v", rows, 1), run("w", rows, 3)]);
  assert.equal(sweepCharts(resultsOf(runs))[0].data[0].value, 1.5);
});

test("two points make no curve", () => {
  assert.deepEqual(sweepCharts(resultsOf([run("v", 2, 1), run("v", 4, 1)])), []);
});

test("a run that failed is no point", () => {
  const failed = { ...run("v", 8, 1), exit_code: 1 };
  assert.deepEqual(sweepCharts(resultsOf([run("v", 2, 1), run("v", 4, 1), failed])), []);
});

test("points with few workloads do not take the others from a curve", () => {
  const runs = [2, 4, 8, 16].flatMap((rows) => (rows === 2 ? ["v"] : ["v", "w"]).map((workload) => run(workload, rows, 1)));
  const [all, rich] = sweepCharts(resultsOf(runs));
  assert.equal(all.data.length, 4);
  assert.ok(all.command.includes("compare v --mechanisms"));
  assert.equal(rich.id, "curve-capt_entries-2");
  assert.equal(rich.data.length, 3);
  assert.ok(rich.command.includes("compare v w --mechanisms"));
});

test("a flat curve keeps a tenth of the axis, so that noise does not look like an effect", () => {
  assert.deepEqual(curveRange([100, 100.2]).map((end) => Math.round(end)), [95, 105]);
  assert.deepEqual(curveRange([50, 100]), [50, 100]);
});
