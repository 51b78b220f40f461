// All mechanisms on one machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shade } from "../src/charts/heat.ts";
import { claimsAnswer, standingsAnswer } from "../src/report/answer.ts";
import { contestsChart, meansChart, standingsOf } from "../src/report/head_to_head.ts";
import { winsText } from "../src/report/standings.ts";

const given = standingsOf({
  mechanisms: [{ name: "pdom", ipc_all: 1 }, { name: "dwf", ipc_all: 1.25, ipc_coherent: null }],
  workloads: [
    { workload: "v", class: "coherent", in_means: true, winner: "dwf", tied: [], ipc_against_first: { pdom: 1, dwf: 1.5 }, missing: {} },
    { workload: "w", class: "divergent", in_means: false, winner: "pdom", tied: ["tbc"], ipc_against_first: { pdom: 1, dwf: null }, missing: { dwf: "FAILED" } },
  ],
});

test("who wins where, divergent workloads first, and why a figure is missing", () => {
  const { data, series } = contestsChart(given, "c");
  assert.deepEqual(data.map((each) => [each.group, each.series, each.value]), [["w", 0, 1], ["w", 1, null], ["v", 0, 1], ["v", 1, 1.5]]);
  assert.equal(data[1].note, "FAILED");
  assert.deepEqual(data.map((each) => each.best), [true, false, false, true]);
  assert.equal(series[1].colour, "m6");
});

test("a mean that is not there is no bar", () => {
  const { data } = meansChart(given, "c");
  assert.deepEqual(data.filter((each) => each.group === "dwf").map((each) => each.value), [null, null, 1.25]);
});

test("shades grow with the distance from the yardstick, on both sides", () => {
  const chart = contestsChart(given, "c");
  const part = (value: number) => Number(/ (\d+)%/.exec(shade(chart, value))?.[1]);
  assert.equal(part(1), 0);
  assert.ok(part(1.1) < part(1.4) && part(1.4) < part(2));
  assert.equal(part(0.5), part(2));
  assert.ok(shade(chart, 0.9).includes("--less") && shade(chart, 1.1).includes("--more"));
});

test("a win counts once, and a tie is said", () => {
  assert.equal(winsText(given, "pdom"), "1 + 0, 1 tied");
  assert.equal(winsText(given, "dwf"), "0 + 1");
  assert.equal(winsText(given, "tbc"), "0 + 0");
});

test("the answer is who is fastest, by how much, and where not", () => {
  const answer = standingsAnswer(given);
  assert.equal(answer?.title, "dwf is 25.0 % faster than pdom");
  assert.match(answer?.sentence ?? "", /^In the mean of 1 workload\. It is the fastest on 1 of 2\. It is slower on none\.$/);
});

test("a bound does not answer, and what does not differ is not faster", () => {
  const ranks = (speed: number, bound: boolean) => standingsOf({
    mechanisms: [{ name: "pdom", ipc_all: 1 }, { name: "mimd", ipc_all: speed, bound }],
    workloads: ["v", "w"].map((workload) => ({ workload, class: "divergent", in_means: true, winner: "pdom", ipc_against_first: { pdom: 1, mimd: speed } })),
  });
  for (const standings of [ranks(3, true), ranks(1.004, false)]) assert.equal(standingsAnswer(standings)?.title, "Nothing is faster than pdom");
  assert.equal(standingsAnswer(ranks(3, false))?.title, "mimd is 3.0 times as fast as pdom");
});

test("claims are counted by their verdicts", () => {
  const claim = (verdict: string) => ({ id: "", verdict, remark: "", lines: [], parts: [] });
  const claims = ["holds", "holds", "holds in direction", "does not hold"].map(claim);
  const answer = claimsAnswer({ quick: false, experiments: [{ name: "a", title: "A", size: "paper", claims }] });
  assert.deepEqual(answer, {
    title: "2 of 4 claims hold, 1 more in direction", sentence: "The others: does not hold: 1. Measured for 1 paper at the sizes of the papers.",
  });
});
