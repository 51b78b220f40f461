// What the papers claim, what was measured, and the verdict: the results of heddle reproduce. The lines of a claim and
// its figures are written by heddle, as on the terminal and in docs/reproduction.md.
import type { Claim, ClaimLine, Experiment, Reproduction } from "../shared/data.ts";
import { type Child, command, folded, h } from "../shared/dom.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";

const verdicts = ["holds", "holds in direction", "does not hold", "not distinguishable here", "not measured"];
const fails = (verdict: string | undefined) => verdict === "does not hold";

function verdictCell(verdict: string): HTMLElement {
  const colour = verdict.startsWith("holds") ? " holds" : fails(verdict) ? " fails" : "";
  return td(verdict, { class: `text${colour}` });
}

// A part, workload by workload, to be opened.
function byWorkload(claim: Claim, line: ClaimLine): Child {
  const workloads = line.part === null ? [] : claim.parts[line.part].workloads;
  if (workloads.length === 0) return null;
  return folded("by workload", {}, h("ul", { class: "by" }, workloads.map((each) =>
    h("li", { class: fails(each.verdict) ? "fails" : undefined }, `${each.workload}\u00a0`, h("span", {}, each.text)))));
}

function oursCell(claim: Claim, line: ClaimLine): HTMLElement {
  const figure = line.part === null ? null : claim.parts[line.part].figure;
  return figure === null ? td(line.ours) : number(figure, line.ours);
}

function lineRow(claim: Claim, line: ClaimLine): HTMLElement {
  const own = line.id !== "";
  return row([
    own ? th(line.id) : td(""),
    td([line.what, byWorkload(claim, line)], { class: "wide" }),
    td(line.paper, { class: own ? "paper" : undefined }),
    oursCell(claim, line),
    verdictCell(line.verdict),
  ], { class: own ? "claim" : "part" });
}

function claimRows(claim: Claim): HTMLElement[] {
  const rows = claim.lines.map((line) => lineRow(claim, line));
  if (claim.remark) rows.push(row([td(""), td(claim.remark, { class: "wide", colspan: 4 })], { class: "part" }));
  return rows;
}

// How many claims of which paper came to which verdict.
function tally(experiments: Experiment[]): Child {
  const all = experiments.flatMap((experiment) => experiment.claims);
  const seen = verdicts.filter((verdict) => all.some((claim) => claim.verdict === verdict));
  const count = (number: number) => (number === 0 ? nothing() : td(number));
  const rowOf = (title: string, claims: Claim[], classes?: string) => row([
    th(title, { class: "wide" }),
    count(claims.length),
    ...seen.map((verdict) => count(claims.filter((claim) => claim.verdict === verdict).length)),
  ], { class: classes });
  const rows = [...experiments.map((each) => rowOf(each.title, each.claims)), rowOf("all", all, "sum")];
  return scrolling("verdicts", table(["paper", "claims", ...seen].map((text) => heading(text)), rows, { class: "tally" }));
}

// What `heddle reproduce` is asked for to measure an experiment again.
export const commandOf = (what: string, quick: boolean) => `heddle reproduce ${what}${quick ? " --quick" : ""} --details`;

function claimsOf(experiment: Experiment, quick: boolean): Child {
  const headings = [heading("claim"), heading("what it says", "text"), heading("paper"), heading("ours"), heading("verdict", "text")];
  const what = experiment.file ?? experiment.claims.map((claim) => claim.id).join(" ");
  return [
    h("h3", {}, experiment.title || experiment.name),
    scrolling(`claims of ${experiment.name}`, table(headings, experiment.claims.flatMap(claimRows), { class: "claims" })),
    command(commandOf(what, quick)),
  ];
}

export function claims(reproduction: Reproduction): Child {
  const experiments = reproduction.experiments.filter((experiment) => experiment.claims.length > 0);
  const sizes = reproduction.quick ? "small sizes (--quick), a preview" : "the sizes of the papers";
  return [
    h("p", {}, `Measured at ${sizes}. A verdict is about direction and rank first, magnitude second.`),
    tally(experiments),
    experiments.map((experiment) => claimsOf(experiment, reproduction.quick)),
  ];
}
