// Which branches are to blame.
import type { Profile, ProfileBranch } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { grouped, percent } from "../shared/format.ts";
import { over } from "../shared/numbers.ts";
import { heading, number, row, scrolling, table, td, th } from "../shared/table.ts";
import { rowId } from "./source_table.ts";

const headings = [
  heading("line"), heading("share lost"), heading("source", "code"), heading("executed"), heading("diverged"), heading("kind"),
  heading("lanes lost"), heading("slots lost"), heading("branch", "text"),
];

// Text of the line of a branch, and the row that shows it; none without a source.
function lineOf(profile: Profile, place: number, branch: ProfileBranch): { text: string; id: string } | undefined {
  const source = profile.sources.findIndex((each) => each.file === branch.file);
  const text = profile.sources[source]?.lines[branch.line - 1];
  return text === undefined ? undefined : { text, id: rowId(place, source, branch.line) };
}

function branchRow(profile: Profile, place: number, branch: ProfileBranch): HTMLElement {
  const line = lineOf(profile, place, branch), name = `${branch.file}:${branch.line}`;
  return row([
    th(line ? h("a", { href: `#${line.id}` }, name) : name),
    td(percent(over(branch.lanes_lost, profile.cost.lanes_lost))),
    td(line?.text.trimStart(), { class: "code" }),
    td(grouped(branch.executed)),
    td(percent(over(branch.diverged, branch.executed))),
    td(branch.kind, { class: "text" }),
    number(branch.lanes_lost, grouped(branch.lanes_lost)),
    td(grouped(branch.slots_lost)),
    td(h("code", {}, branch.instruction), { class: "text" }),
  ]);
}

export function branchTable(profile: Profile, place: number): Child {
  const { lanes_lost: all, lanes_lost_by_no_branch: nobody } = profile.cost;
  const noBranch = row([
    th("no branch"), td(percent(over(nobody, all))), td(""), td(""), td(""), td(""), td(grouped(nobody)), td(""), td(""),
  ]);
  const rows = [...profile.branches.map((branch) => branchRow(profile, place, branch)), noBranch];
  return [h("h3", {}, "Which branches are to blame"), scrolling("branches", table(headings, rows, { class: "source branches" }))];
}
