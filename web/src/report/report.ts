// The report: which parts there are, and in which order. The answer first, then the one table, then where the cycles go.
import { type Chart, isEmpty } from "../charts/chart.ts";
import { figure } from "../charts/figure.ts";
import type { Experiment, Reproduction, Results, Run, SweepResult } from "../shared/data.ts";
import { type Child, folded, h } from "../shared/dom.ts";
import { counted } from "../shared/format.ts";
import { machineOptions, wordsOf } from "../shared/machine.ts";
import type { Page } from "../shared/page.ts";
import { type Answer, claimsAnswer, runAnswer, standingsAnswer } from "./answer.ts";
import { compactionChart, decisionChart } from "./branches.ts";
import { breakdownChart, meanBreakdownChart } from "./breakdown.ts";
import { claims, commandOf } from "./claims.ts";
import { addFindings } from "./findings.ts";
import { contestsChart, meansChart, standingsOf } from "./head_to_head.ts";
import { byWords, groupsOf, RunGroup } from "./run_group.ts";
import { failures, fillingNotice, machine } from "./run_notes.ts";
import { standingsOf as standingsOfRuns } from "./run_standings.ts";
import { efficiencyChart, idleChart, ipcChart, stallChart, trafficChart } from "./speed.ts";
import { standingsTable } from "./standings.ts";
import { sweepCharts } from "./sweeps.ts";
import { wanted } from "./wanted.ts";

const mostGroups = 8;

type ChartOf = (group: RunGroup) => Chart;
const cycleCharts: ChartOf[] = [meanBreakdownChart, breakdownChart];
const otherCharts: ChartOf[] = [ipcChart, efficiencyChart, idleChart, trafficChart, stallChart];
const branchCharts: ChartOf[] = [compactionChart, decisionChart];

const figures = (list: Chart[], suffix = ""): Child =>
  list.filter((chart) => !isEmpty(chart)).map((chart) => figure({ ...chart, id: chart.id + suffix }));

interface Shown {
  results: Results;
  groups: RunGroup[];
}

const scopeOf = (group: RunGroup) =>
  `${counted(group.workloads.length, "workload")} under ${counted(group.mechanisms.length, "mechanism")}, ${
    group.timed ? "cycle by cycle" : "emulated without a clock"}`;

// What a table of all mechanisms has said already is not said again.
const isIn = (experiment: Experiment) => (group: RunGroup) =>
  experiment.head_to_head !== undefined && group.inputs === experiment.size &&
  group.workloads.every((name) => experiment.head_to_head?.workloads.some((each) => each.workload === name)) &&
  group.mechanisms.every((name) => experiment.head_to_head?.mechanisms.some((each) => each.name === name));

// Of which runs the parts above have ranked the mechanisms, and drawn where the cycles go.
interface Above {
  ranked: (group: RunGroup) => boolean;
  drawn: (group: RunGroup) => boolean;
}

// The one table, unless another has ranked these already, or there is nothing to rank.
const ranks = (group: RunGroup, ranked: boolean): Child =>
  ranked || group.mechanisms.length < 2 ? null : standingsTable(standingsOfRuns(group));

function addOnlyGroup(page: Page, group: RunGroup, ranked: boolean): void {
  page.heading("results", group.mechanisms.length > 1 ? "The mechanisms, side by side" : "Where the time goes");
  page.add(h("p", { class: "soft" }, `${scopeOf(group)}, `, h("code", {}, group.words), "."), fillingNotice(group));
  page.add(ranks(group, ranked), failures(group));
  page.add(figures([...cycleCharts, ...otherCharts, ...branchCharts].map((chartOf) => chartOf(group))), machine(group));
}

// One machine of several: the first is open, the others are to be opened.
const groupSection = (group: RunGroup, number: number, above: Above) =>
  folded([h("b", {}, group.title), " ", h("span", { class: "soft" }, scopeOf(group))],
    { class: "group", id: `results-${number}`, open: number === 1 },
    h("p", { class: "soft" }, h("code", {}, group.words)), fillingNotice(group),
    ranks(group, above.ranked(group)), failures(group),
    figures((above.drawn(group) ? otherCharts : [...cycleCharts, ...otherCharts]).map((chartOf) => chartOf(group)), `-${number}`),
    machine(group));

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
function addGroups(page: Page, groups: RunGroup[], above: Above): void {
  if (groups.length === 0) return;
  if (groups.length === 1) return addOnlyGroup(page, groups[0], above.ranked(groups[0]));
  const compared = groups.filter((group) => group.mechanisms.length > 1);
  const shown = (compared.length > 0 ? compared : groups).slice(0, mostGroups);
  page.heading("results", "The mechanisms, side by side, machine by machine");
  page.add(shown.map((group, i) => groupSection(group, i + 1, above)));
  const rest = groups.filter((group) => !shown.includes(group)).map((group) =>
    h("li", {}, `${group.workloads.join(", ")} under ${group.mechanisms.join(", ")}: `, h("code", {}, group.words)));
  if (rest.length > 0) page.add(folded("Other runs, used in curves and claims", { class: "others" }, h("ul", {}, rest)));
  addBranches(page, groups);
}

function addCurves(page: Page, curves: Chart[]): void {
  if (curves.length === 0) return;
  page.heading("curves", "Curves: what a size of the machine changes");
  page.add(figures(curves));
}

function addSweep(page: Page, sweep: SweepResult, suffix: string): void {
  const standings = standingsOf(sweep.head_to_head, "point");
  page.heading(`sweep${suffix}`, "The points, side by side");
  page.add(standingsTable(standings), figures([contestsChart(standings, sweep.command)], suffix));
}

// The runs behind a table, as far as they are here. They are of one machine, but for the blocks on a core, which papers
// publish by workload; those of other lane maps stand in the table only.
function behind(experiment: Experiment, results: Results, groups: RunGroup[]): RunGroup[] {
  const words = (run: Run) => wordsOf(machineOptions(run, "blocks_per_core"));
  const machines = byWords(groups.filter(isIn(experiment)).flatMap((group) => group.runs), words);
  const [most] = [...machines.values()].sort((a, b) => b.length - a.length);
  return most ? [new RunGroup(most, results)] : [];
}

function addHeadToHead(page: Page, experiment: Experiment, again: string, shown: Shown, end: string): void {
  if (!experiment.head_to_head) return;
  const standings = standingsOf(experiment.head_to_head), inIt = behind(experiment, shown.results, shown.groups);
  page.heading(`head-to-head${end}`, experiment.title);
  page.add(h("p", { class: "soft" }, `Workloads of size ${experiment.size}.`), inIt.map(fillingNotice), standingsTable(standings));
  page.add(inIt.map((group) => figures(cycleCharts.map((chartOf) => ({ ...chartOf(group), command: again })), `-of-all${end}`)));
  page.add(figures([contestsChart(standings, again), meansChart(standings, again)], end));
}

function addReproduction(page: Page, reproduction: Reproduction, shown: Shown, suffix: string): void {
  reproduction.experiments.filter((experiment) => experiment.head_to_head).forEach((experiment, i) =>
    addHeadToHead(page, experiment, commandOf(experiment.file ?? experiment.name, reproduction.quick), shown,
      suffix + (i === 0 ? "" : `-${i + 1}`)));
  if (reproduction.experiments.every((experiment) => experiment.claims.length === 0)) return;
  page.heading(`claims${suffix}`, "What the papers claim, and what was measured here");
  page.add(claims(reproduction));
}

// Of all that a page shows, what comes first has the word.
function answerOf(results: Results, groups: RunGroup[]): Answer | null {
  const experiments = results.reproductions.flatMap((each) => each.experiments);
  const ranks = [...results.sweeps.map((sweep) => standingsOf(sweep.head_to_head, "point")),
    ...experiments.flatMap((each) => (each.head_to_head ? [standingsOf(each.head_to_head)] : []))];
  const answers = [
    ...ranks.map((standings) => () => standingsAnswer(standings)),
    ...results.reproductions.map((each) => () => claimsAnswer(each)),
    ...groups.map((group) => () => (group.mechanisms.length > 1 ? standingsAnswer(standingsOfRuns(group)) : runAnswer(group))),
  ];
  for (const answer of answers) {
    const found = answer();
    if (found) return found;
  }
  return null;
}

export function addReport(page: Page, results: Results): void {
  const groups = groupsOf(results), curves = sweepCharts(results);
  const answer = answerOf(results, groups);
  addFindings(page, results.runs);
  if (answer) page.answer(answer.title, answer.sentence);
  const suffixOf = (i: number) => (i === 0 ? "" : `-of-${i + 1}`);
  if (results.reproductions.length === 0) addCurves(page, curves);
  results.sweeps.forEach((each, i) => addSweep(page, each, suffixOf(i)));
  results.reproductions.forEach((each, i) => addReproduction(page, each, { results, groups }, suffixOf(i)));
  if (results.reproductions.length > 0) addCurves(page, curves);
  const experiments = results.reproductions.flatMap((each) => each.experiments);
  addGroups(page, groups, {
    ranked: (group) => (results.sweeps.length > 0 && !results.of_folder) || experiments.some((each) => isIn(each)(group)),
    drawn: (group) => experiments.some((each) => isIn(each)(group)),
  });
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
