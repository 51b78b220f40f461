// Runs side by side: which, and what is made of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chart, drawn } from "../src/charts/chart.ts";
import { breakdownChart, meanBreakdownChart, slotClasses } from "../src/report/breakdown.ts";
import { compactionChart, decisionChart } from "../src/report/branches.ts";
import { groupsOf } from "../src/report/run_group.ts";
import { unfilled } from "../src/report/run_notes.ts";
import { contestOf, standingOf, standingsOf } from "../src/report/run_standings.ts";
import { efficiencyChart, idleChart, ipcChart, stallChart, trafficChart } from "../src/report/speed.ts";
import { wanted } from "../src/report/wanted.ts";
import { resultsOf, runOf } from "./made_up.ts";

const registered = ["pdom", "tesla", "dual-path", "multi-path", "aware", "dws", "tbc", "tbc+", "tbc-ideal", "capri", "lwm", "stackless",
  "implicit-stack", "lorie-strong", "thread-frontiers", "takahashi", "dwf", "dwf-wb", "sbi", "swi", "sbi+swi", "chap", "amd", "pomp", "gma",
  "sandy-bridge", "its", "subwarp-interleaving", "vws", "mimd"];
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
const value = (chart: Chart, group: string, series: number) =>
  chart.data.find((datum) => datum.group === group && datum.series === series)?.value;
const onlyGroup = (...runs: ReturnType<typeof runOf>[]) => groupsOf(resultsOf(runs))[0];

test("speed is against the first mechanism, and its mean is harmonic", () => {
  const chart = ipcChart(onlyGroup(runOf("v", "a", 10), runOf("v", "b", 20), runOf("w", "a", 10), runOf("w", "b", 5)));
  assert.equal(value(chart, "v", 1), 2);
  assert.equal(value(chart, "w", 1), 0.5);
  assert.equal(value(chart, "mean", 1), 0.8); // 2 / (1/2 + 2)
});

test("a run with a wrong result counts in no mean and is named", () => {
  const wrong = runOf("w", "b", 1000, { exit_code: 1, outcome: "FAILED", check: { passed: false, detail: "3 values differ" } });
  const group = onlyGroup(runOf("v", "a", 10), runOf("v", "b", 20), runOf("w", "a", 10), wrong);
  const chart = ipcChart(group);
  assert.equal(value(chart, "mean", 1), 2);
  assert.equal(chart.data.find((datum) => datum.group === "mean" && datum.series === 1)?.note, "of 1");
  assert.equal(value(chart, "w", 1), null);
  assert.equal(chart.data.at(-1)?.note, "FAILED");
  assert.equal(group.why(1, 1), "3 values differ");
  assert.equal(standingOf(group, 1).counted, "1 of 2");
});

test("runs of different machines are not laid side by side", () => {
  const groups = groupsOf(resultsOf([runOf("v", "a", 10), runOf("v", "b", 20, { config: { warp_size: 16 } })]));
  assert.equal(groups.length, 2);
  assert.equal(groups[1].words, "--size small --preset tbc-hpca11 --set warp_size=16");
  assert.equal(groups[1].title, "tbc-hpca11, small, warp_size=16");
});

test("the machine with the most mechanisms comes first, then the largest", () => {
  const other = { config: { warp_size: 16 } };
  const groups = groupsOf(resultsOf([runOf("v", "a", 1), runOf("w", "a", 1), runOf("v", "a", 1, other), runOf("v", "b", 1, other)]));
  assert.deepEqual(groups.map((group) => group.mechanisms.length), [2, 1]);
});

test("in a folder mechanisms are in the order of the registry, those it does not know last", () => {
  const runs = [runOf("w", "new", 1), runOf("v", "tbc", 1), runOf("v", "pdom", 1)];
  const [group] = groupsOf(resultsOf(runs, { of_folder: true }));
  assert.deepEqual(group.mechanisms, ["pdom", "tbc", "new"]);
  assert.deepEqual(group.workloads, ["v", "w"]);
  assert.deepEqual(groupsOf(resultsOf(runs))[0].mechanisms, ["new", "tbc", "pdom"]);
});

test("a mechanism has its colour by its name, whatever stands beside it and whatever is in the registry", () => {
  const colours = (mechanisms: string[], registry: string[]) =>
    groupsOf(resultsOf(mechanisms.map((each) => runOf("v", each, 1)), { mechanisms: registry }))[0].series;
  assert.deepEqual(colours(["tbc", "capri"], ["pdom", "tbc", "capri"])[1], { name: "capri", colour: "m5" });
  assert.deepEqual(colours(["capri", "new"], ["new", "capri"])[0], { name: "capri", colour: "m5" });
  assert.deepEqual(colours(["new"], [])[0], colours(["pdom", "new"], ["pdom", "tbc"])[1]);
});

test("no two mechanisms of a common comparison look the same", () => {
  const all = groupsOf(resultsOf([...registered].map((each) => runOf("v", each, 1))))[0].series.map((each) => each.colour);
  assert.equal(new Set(all).size, registered.length);
});

test("commands compare workloads, and run files", () => {
  assert.equal(onlyGroup(runOf("v", "a", 1), runOf("v", "b", 1)).command("--taint"),
    "heddle compare v --mechanisms a,b --size small --preset tbc-hpca11 --taint --json results.json");
  assert.match(onlyGroup(runOf("./k.ptx", "a", 1)).command(), /^heddle run \.\/k\.ptx --mechanism a /);
  const own = { command: "heddle run ./k.ptx --grid 4 --block 32" };
  assert.equal(onlyGroup(runOf("./k.ptx", "a", 1, own)).command(), `${own.command} --json run.json`);
  const program = { command: "heddle exec --emulate -- ./app --in file" };
  assert.equal(onlyGroup(runOf("./app", "a", 1, program)).command(), "heddle exec --emulate --json run.json -- ./app --in file");
});

test("shares are of the cycles of all cores, traffic is both ways", () => {
  const traffic = (request_bytes: number) => ({ total: { traffic: { request_bytes, reply_bytes: 60 }, memory_stall_cycles: 25 } });
  const group = onlyGroup(runOf("v", "a", 1, traffic(40)), runOf("v", "b", 1, traffic(90)));
  assert.equal(value(idleChart(group), "v", 0), 0.1);
  assert.equal(value(stallChart(group), "v", 0), 0.25);
  assert.equal(value(trafficChart(group), "v", 1), 1.5);
  assert.equal(value(efficiencyChart(group), "v", 1), 0.5);
  assert.equal(value(efficiencyChart(group), "mean", 1), undefined); // of one workload
});

test("the winner is the first within half a per cent of the highest IPC, and the others are tied", () => {
  const near = contestOf(onlyGroup(runOf("v", "a", 100), runOf("v", "b", 100.4), runOf("v", "c", 99)), 0);
  assert.deepEqual([near.winner, near.tied], ["a", ["b"]]);
  const far = contestOf(onlyGroup(runOf("v", "a", 100), runOf("v", "b", 101)), 0);
  assert.deepEqual([far.winner, far.tied], ["b", []]);
});

test("divergent and coherent workloads have means of their own, by the efficiency under the first mechanism", () => {
  const coherent = { total: { simd_efficiency: 0.9 } };
  const group = onlyGroup(runOf("v", "a", 10), runOf("v", "b", 20, coherent), runOf("w", "a", 10, coherent), runOf("w", "b", 5));
  assert.deepEqual(standingOf(group, 1).speed, { divergent: 2, coherent: 0.5, all: 0.8 });
  assert.deepEqual(standingsOf(group).contests.map((each) => each.winner), ["b", "a"]);
});

test("a machine whose cores had no block for most of the time is named", () => {
  const empty = (cycles: number) => ({ total: { empty_cycles: cycles } }); // of 100
  assert.deepEqual(unfilled(onlyGroup(runOf("v", "a", 1, empty(60)), runOf("w", "a", 1, empty(50)), runOf("x", "a", 1))), [{ workload: "v", share: 0.6 }]);
});

test("many bars become a heat chart, and the mean of the breakdown stands for itself", () => {
  const runs = Array.from({ length: 31 }, (_, w) => ["a", "b"].map((mechanism) => runOf(String(w), mechanism, 10))).flat();
  runs[1].total.breakdown = { "W1-4": 30, Stall: 370, W0_Idle: 10 }; // "b" on "0": 410 over 100
  const group = onlyGroup(...runs);
  assert.equal(ipcChart(group).kind, "heat");
  assert.ok(breakdownChart(group).folded);
  const sum = (bar: string) => drawn(meanBreakdownChart(group)).filter((d) => d.bar === bar).reduce((all, d) => all + d.value, 0);
  near(sum("a"), 1);
  near(sum("b"), (30 + 4.1) / 31);
});

test("slots without a clock fall into the classes of the breakdown", () => {
  const slots = Array.from({ length: 32 }, (_, i) => i + 1);
  const classes = slotClasses(slots, 32);
  assert.deepEqual(classes[0], ["W1-4", 1 + 2 + 3 + 4]);
  assert.deepEqual(classes[7], ["W29-32", 29 + 30 + 31 + 32]);
  assert.deepEqual(slotClasses([5, 6], 2), [["W1", 5], ["W2", 6]]);
});

test("compaction rates are means over the workloads that have branches of the kind", () => {
  const rates = (paths: number, none: number) => ({ paths, rates: paths === 0 ? null : { none, ideal: 1 } });
  const total = (p: number, paths: number) => ({ total: { compaction: { P: rates(paths, p), D: rates(0, 0) } } });
  const chart = compactionChart(onlyGroup(runOf("u", "tbc", 1, total(0.2, 10)), runOf("v", "tbc", 1, total(0.4, 10)), runOf("w", "tbc", 1, total(1, 0))));
  near(value(chart, "none", 0) as number, 0.3);
  assert.equal(value(chart, "none", 1), undefined);
});

test("the four outcomes are shares of all decisions", () => {
  const decisions = { stall_stall: 6, stall_bypass: 2, bypass_stall: 1, bypass_bypass: 1, unproven: 5, accuracy: 0.7 };
  const chart = decisionChart(onlyGroup(runOf("v", "capri", 1, { total: { decisions } })));
  assert.deepEqual(chart.data.map((datum) => datum.value), [0.6, 0.1, 0.2, 0.1]);
  assert.equal(chart.data[0].note, "6 of 10");
});

test("what is not there is named with its command", () => {
  const results = resultsOf([runOf("v", "a", 10)]);
  const commands = wanted(results, groupsOf(results), []).map((each) => each.command).join("\n");
  for (const part of ["heddle reproduce", "--scores", "--taint", "capt_entries", "heddle profile"]) assert.ok(commands.includes(part), part);
  assert.deepEqual(wanted(resultsOf([]), [], []), []); // a profile is complete
});
