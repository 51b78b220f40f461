// Which branches are to blame.
import type { Profile, ProfileBranch } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { grouped, percent } from "../shared/format.ts";
import { over } from "../shared/numbers.ts";
import { heading, number, row, scrolling, table, td, th } from "../shared/table.ts";
import { sortable } from "../shared/sorting.ts";
import { highlighted } from "./highlight.ts";
import { rowId } from "./source_table.ts";

const percentCell = (share: number) => number(share, percent(share));

const headingsOf = (profile: Profile) => [
  heading("line"), heading("share lost"), heading("source", "code"), heading("executed"), heading("diverged"), heading("kind"),
  heading("lanes lost"), heading("slots lost"), ...(profile.time ? [heading("cycles inside")] : []), heading("branch", "text"),
];

// Text of the line of a branch, and the row that shows it; none without a source.
function lineOf(profile: Profile, place: number, branch: ProfileBranch): { text: string; id: string } | undefined {
  const source = profile.sources.findIndex((each) => each.file === branch.file);
  const text = profile.sources[source]?.lines[branch.line - 1];
  return text === undefined ? undefined : { text, id: rowId(place, source, branch.line) };
}

function branchRow(profile: Profile, place: number, branch: ProfileBranch): HTMLElement {
  const line = lineOf(profile, place, branch), name = `${branch.file.split("/").at(-1)}:${branch.line}`;
  return row([
    th(line ? h("a", { href: `#${line.id}` }, name) : name),
    percentCell(over(branch.lanes_lost, profile.cost.lanes_lost)),
    td(line && highlighted(branch.file, [line.text.trimStart()]), { class: "code" }),
    number(branch.executed, grouped(branch.executed)),
    percentCell(over(branch.diverged, branch.executed)),
    td(branch.kind, { class: "text" }),
    number(branch.lanes_lost, grouped(branch.lanes_lost)),
    number(branch.slots_lost, grouped(branch.slots_lost)),
    ...(profile.time ? [percentCell(over(branch.time_inside?.cycles ?? 0, profile.time.core_cycles))] : []),
    td(h("code", {}, branch.instruction), { class: "text" }),
  ]);
}

export function branchTable(profile: Profile, place: number): Child {
  const { lanes_lost: all, lanes_lost_by_no_branch: nobody } = profile.cost;
  const noBranch = row([
    th("no branch"), td(percent(over(nobody, all))), td(""), td(""), td(""), td(""), number(nobody, grouped(nobody)), td(""),
    ...(profile.time ? [td("")] : []), td(""),
  ]);
  const rows = [...profile.branches.map((branch) => branchRow(profile, place, branch)), noBranch];
  return [h("h3", {}, "Which branches are to blame"), h("div", { class: "full" }, scrolling("branches", sortable(table(headingsOf(profile), rows, { class: "source branches" }))))];
}
