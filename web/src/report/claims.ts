// What the papers claim, what was measured, and the verdict: the results of heddle reproduce. The lines of a claim and
// its figures are written by heddle, as on the terminal and in docs/reproduction.md.
import type { Claim, ClaimLine, Experiment, Reproduction, Swing, SwingEnd, Variant } from "../shared/data.ts";
import { type Child, folded, h } from "../shared/dom.ts";
import { command } from "../shared/save.ts";
import { originals } from "./originals.ts";
import { heading, nothing, number, row, scrolling, table, td, th } from "../shared/table.ts";

const verdicts = ["holds", "holds in direction", "does not hold", "not distinguishable here", "not measured"];
const fails = (verdict: string | undefined) => verdict === "does not hold";

const colours: Record<string, string> = { "holds": "holds", "holds in direction": "direction", "does not hold": "fails" };

const verdictCell = (verdict: string) => td(verdict, { class: `text ${colours[verdict] ?? ""}`.trim() });

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

// Variants about all claims are columns: what each of them makes of this line.
const columns = (experiment: Experiment) => (experiment.variants ?? []).filter((variant) => variant.all_claims);

function variantCells(variants: Variant[], claim: Claim, at: number): HTMLElement[] {
  return variants.flatMap((variant) => {
    const other = variant.claims.find((each) => each.id === claim.id);
    return other ? [oursCell(other, other.lines[at]), verdictCell(other.lines[at].verdict)] : [nothing(), nothing()];
  });
}

function lineRow(variants: Variant[], claim: Claim, at: number): HTMLElement {
  const line = claim.lines[at], own = line.id !== "";
  return row([
    own ? th(line.id) : td(""),
    td([line.what, byWorkload(claim, line)], { class: "wide" }),
    td(line.paper, { class: own ? "paper" : undefined }),
    oursCell(claim, line),
    verdictCell(line.verdict),
    ...variantCells(variants, claim, at),
  ], { class: own ? "claim" : "part" });
}

function claimRows(variants: Variant[], claim: Claim): HTMLElement[] {
  const rows = claim.lines.map((_, at) => lineRow(variants, claim, at));
  const wide = 4 + 2 * variants.length;
  if (claim.remark) rows.push(row([td(""), td(claim.remark, { class: "wide", colspan: wide })], { class: "part" }));
  return rows;
}

// Claims measured again with one thing changed: what has changed with it.
function changedRows(variant: Variant): HTMLElement[] {
  return variant.claims.flatMap((claim) => claim.lines.filter((line) => line.part !== null || line.id === "").map((line) =>
    row([th(claim.id), td(variant.name, { class: "wide" }), td(line.id === "" ? line.what : "", { class: "wide" }),
      oursCell(claim, line), verdictCell(line.verdict)])));
}

// How far values as plausible as the preset's move each figure.
function swingRow(swing: Swing): HTMLElement {
  const end = (at: SwingEnd) => (at.by === "" ? td("as it is", { class: "soft" }) : number(at.figure, `${at.text} (${at.by})`));
  return row([
    th(swing.claim), td(swing.part, { class: "wide" }), number(swing.ours.figure, swing.ours.text), end(swing.least), end(swing.most),
    verdictCell(swing.verdict), td(swing.turned_by.join("; "), { class: "wide" }),
  ]);
}

function sensitivity(experiment: Experiment): Child {
  const swings = experiment.sensitivity ?? [];
  if (swings.length === 0) return null;
  const headings = ["claim", "what", "ours", "least", "most", "verdict", "otherwise with"].map((text) => heading(text));
  return [
    h("h4", {}, "With other values that are as plausible"),
    scrolling(`sensitivity of ${experiment.name}`, table(headings, swings.map(swingRow), { class: "claims sensitivity" })),
  ];
}

function changed(experiment: Experiment): Child {
  const variants = (experiment.variants ?? []).filter((variant) => !variant.all_claims && variant.claims.length > 0);
  if (variants.length === 0) return null;
  const headings = [heading("claim"), heading("changed", "text"), heading("what", "text"), heading("ours"), heading("verdict", "text")];
  return [
    h("h4", {}, "With one thing changed"),
    scrolling(`variants of ${experiment.name}`, table(headings, variants.flatMap(changedRows), { class: "claims variants" })),
  ];
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
  const variants = columns(experiment);
  const headings = [
    heading("claim"), heading("what it says", "text"), heading("paper"), heading("ours"), heading("verdict", "text"),
    ...variants.flatMap((variant) => [heading(variant.name), heading("verdict", "text")]),
  ];
  const what = experiment.file ?? experiment.claims.map((claim) => claim.id).join(" ");
  return [
    h("h3", {}, experiment.title || experiment.name),
    scrolling(`claims of ${experiment.name}`, table(headings, experiment.claims.flatMap((claim) => claimRows(variants, claim)), { class: "claims" })),
    changed(experiment),
    sensitivity(experiment),
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
    originals(reproduction.originals ?? []),
  ];
}
