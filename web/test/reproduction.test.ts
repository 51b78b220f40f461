// All mechanisms on one machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shade } from "../src/charts/heat.ts";
import { contendersChart, contestsChart } from "../src/report/head_to_head.ts";

const given: Parameters<typeof contendersChart>[0] = {
  mechanisms: [{ name: "pdom", ipc_all: 1 }, { name: "dwf", ipc_all: 1.25, ipc_coherent: null }],
  workloads: [
    { workload: "v", class: "coherent", in_means: true, winner: "dwf", ipc_against_first: { pdom: 1, dwf: 1.5 }, missing: {} },
    { workload: "w", class: "divergent", in_means: false, winner: "pdom", ipc_against_first: { pdom: 1, dwf: null }, missing: { dwf: "FAILED" } },
  ],
};

test("who wins where, divergent workloads first, and why a figure is missing", () => {
  const { data, series } = contestsChart(given, "c", ["pdom", "tbc", "dwf"]);
  assert.deepEqual(data.map((each) => [each.group, each.series, each.value]), [["w", 0, 1], ["w", 1, null], ["v", 0, 1], ["v", 1, 1.5]]);
  assert.equal(data[1].note, "FAILED");
  assert.deepEqual(data.map((each) => each.best), [true, false, false, true]);
  assert.equal(series[1].colour, "m2");
});

test("a mean that is not there is no bar", () => {
  const { data } = contendersChart(given, "c");
  assert.deepEqual(data.filter((each) => each.group === "dwf").map((each) => each.value), [null, null, 1.25]);
});

test("shades grow with the distance from the yardstick, on both sides", () => {
  const chart = contestsChart(given, "c", []);
  const part = (value: number) => Number(/ (\d+)%/.exec(shade(chart, value))?.[1]);
  assert.equal(part(1), 0);
  assert.ok(part(1.1) < part(1.4) && part(1.4) < part(2));
  assert.equal(part(0.5), part(2));
  assert.ok(shade(chart, 0.9).includes("--less") && shade(chart, 1.1).includes("--more"));
});
