// The report: which parts there are, and in which order.
import { type Chart, isEmpty } from "../charts/chart.ts";
import { figure } from "../charts/figure.ts";
import type { Reproduction, Results } from "../shared/data.ts";
import { type Child, folded, h } from "../shared/dom.ts";
import { counted } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { compactionChart, decisionChart } from "./branches.ts";
import { breakdownChart, meanBreakdownChart } from "./breakdown.ts";
import { claims, commandOf } from "./claims.ts";
import { contenders, contendersChart, contestsChart } from "./head_to_head.ts";
import { failures, headline, machine } from "./headline.ts";
import { groupsOf, type RunGroup } from "./run_group.ts";
import { efficiencyChart, idleChart, ipcChart, stallChart, trafficChart } from "./speed.ts";
import { sweepCharts } from "./sweeps.ts";
import { wanted } from "./wanted.ts";

const mostGroups = 8;

type ChartOf = (group: RunGroup) => Chart;
const charts: ChartOf[] = [ipcChart, efficiencyChart, meanBreakdownChart, breakdownChart, idleChart, trafficChart, stallChart];
const branchCharts: ChartOf[] = [compactionChart, decisionChart];

const figures = (list: Chart[], suffix = ""): Child =>
  list.filter((chart) => !isEmpty(chart)).map((chart) => figure({ ...chart, id: chart.id + suffix }));

const scopeOf = (group: RunGroup) =>
  `${counted(group.workloads.length, "workload")} under ${counted(group.mechanisms.length, "mechanism")}, ${
    group.timed ? "cycle by cycle" : "emulated without a clock"}`;

function addOnlyGroup(page: Page, group: RunGroup): void {
  page.heading("results", "The mechanisms, side by side");
  page.add(h("p", { class: "soft" }, `${scopeOf(group)}, `, h("code", {}, group.words), "."));
  page.add(headline(group), failures(group), figures([...charts, ...branchCharts].map((chartOf) => chartOf(group))), machine(group));
}

// One machine of several: the first is open, the others are to be opened.
const groupSection = (group: RunGroup, number: number) =>
  folded([h("b", {}, group.title), " ", h("span", { class: "soft" }, scopeOf(group))],
    { class: "group", id: `results-${number}`, open: number === 1 },
    h("p", { class: "soft" }, h("code", {}, group.words)),
    headline(group), failures(group), figures(charts.map((chartOf) => chartOf(group)), `-${number}`), machine(group));

// Each of the group that has the most to say in it.
function addBranches(page: Page, groups: RunGroup[]): void {
  const fullest = branchCharts.flatMap((chartOf) => {
    const all = groups.map((group) => ({ group, chart: chartOf(group) })).filter(({ chart }) => !isEmpty(chart));
    const [most] = all.sort((a, b) => b.chart.data.length - a.chart.data.length);
    return most ? [{ ...most.chart, caption: `${most.chart.caption} Machine: ${most.group.title}.` }] : [];
  });
  if (fullest.length === 0) return;
  page.heading("branches", "What branches do: compaction, and whether waiting pays");
  page.add(figures(fullest));
}

// In full where mechanisms can be compared; a folder of results holds many other runs, for curves and claims.
function addGroups(page: Page, groups: RunGroup[]): void {
  if (groups.length === 0) return;
  if (groups.length === 1) return addOnlyGroup(page, groups[0]);
  addBranches(page, groups);
  page.heading("results", "The mechanisms, side by side, machine by machine");
  const compared = groups.filter((group) => group.mechanisms.length > 1);
  const shown = (compared.length > 0 ? compared : groups).slice(0, mostGroups);
  page.add(shown.map((group, i) => groupSection(group, i + 1)));
  const rest = groups.filter((group) => !shown.includes(group)).map((group) =>
    h("li", {}, `${group.workloads.join(", ")} under ${group.mechanisms.join(", ")}: `, h("code", {}, group.words)));
  if (rest.length > 0) page.add(folded("Other runs, used in curves and claims", { class: "others" }, h("ul", {}, rest)));
}

function addCurves(page: Page, curves: Chart[]): void {
  if (curves.length === 0) return;
  page.heading("curves", "Curves: what a size of the machine changes");
  page.add(figures(curves));
}

function addReproduction(page: Page, reproduction: Reproduction, suffix: string, registry: string[]): void {
  let tables = 0;
  for (const experiment of reproduction.experiments) {
    if (!experiment.head_to_head) continue;
    const end = suffix + (++tables === 1 ? "" : `-${tables}`);
    const again = commandOf(experiment.file ?? experiment.name, reproduction.quick);
    page.heading(`head-to-head${end}`, experiment.title);
    page.add(h("p", { class: "soft" }, `Workloads of size ${experiment.size}.`), contenders(experiment.head_to_head));
    page.add(figures([contendersChart(experiment.head_to_head, again), contestsChart(experiment.head_to_head, again, registry)], end));
  }
  if (reproduction.experiments.every((experiment) => experiment.claims.length === 0)) return;
  page.heading(`claims${suffix}`, "What the papers claim, and what was measured here");
  page.add(claims(reproduction));
}

export function addReport(page: Page, results: Results): void {
  const groups = groupsOf(results), curves = sweepCharts(results);
  results.reproductions.forEach((each, i) => addReproduction(page, each, i === 0 ? "" : `-of-${i + 1}`, results.mechanisms));
  if (results.reproductions.length > 0) addCurves(page, curves);
  addGroups(page, groups);
  if (results.reproductions.length === 0) addCurves(page, curves);
}

export function addWanted(page: Page, results: Results): void {
  const items = [
    ...wanted(results, groupsOf(results), sweepCharts(results)).map(({ what, command }) => h("li", {}, `${what}: `, h("code", {}, command))),
    ...results.not_read.map((what) => h("li", {}, `Not read: ${what}`)),
  ];
  if (items.length === 0) return;
  page.heading("more", "What is not on this page, and what would make it");
  page.add(h("ul", { class: "wanted" }, items));
}
