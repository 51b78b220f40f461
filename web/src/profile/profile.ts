// The source of a kernel with what its lines and branches cost beside it.
import type { Profile } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { grouped, percent } from "../shared/format.ts";
import { over } from "../shared/numbers.ts";
import type { Page } from "../shared/page.ts";
import { command } from "../shared/save.ts";
import { branchTable } from "./branch_table.ts";
import { kernelTable } from "./kernel_table.ts";
import { rowId, sourceTable } from "./source_table.ts";
import { whatIfTable } from "./what_if.ts";
import { whereCyclesGo } from "./where_cycles_go.ts";

// What the words of the tables mean, and what to make of them.
function words(profile: Profile): Child {
  const kinds = profile.branches.some((branch) => branch.kind)
    ? "Kind D: the branch depends on data, so that its threads sit in other lanes from warp to warp, and hardware that " +
      "compacts warps can gain. Kind P: it depends on thread numbers and parameters only, so that the same lanes idle in " +
      "every warp; arrange the work so that consecutive threads take the same way."
    : "With --taint: which branches depend on data (D), and which on thread numbers only (P).";
  return h("p", { class: "soft" }, "Lanes lost: warp size × issue slots − active threads. The source shows where lanes idle; " +
    `the table of branches shows why: where the threads that are missing went another way. ${kinds}`);
}

// The sentence that answers, unless the page has begun with it; what may help, and a link to the line that it names.
function answer(page: Page, profile: Profile, number: number): Child {
  if (!profile.answer) return null;
  const said = page.answer(`Why is ${profile.program} slow?`, `${profile.answer.sentence}.`);
  const { sentence, advice, file, line } = profile.answer, source = profile.sources.findIndex((each) => each.file === file);
  return h("p", { class: "answer why" }, !said && [h("span", {}, `${sentence}.`), h("br")], h("span", { class: "soft" }, `What may help: ${advice}. `),
    source >= 0 && line !== null && h("a", { href: `#${rowId(number, source, line)}` }, `To line ${line}`));
}

export function addProfile(page: Page, profile: Profile, number: number): void {
  const { cost } = profile, lanes = cost.issue_slots * Number(profile.config.warp_size ?? 32);
  page.heading(`profile-${number}`, `Profile of ${profile.program} under ${profile.mechanism}`);
  page.add(
    answer(page, profile, number),
    kernelTable(profile),
    whereCyclesGo(profile),
    profile.sources.map((_, source) => sourceTable(profile, number, source)),
    h("p", {}, "SIMD efficiency ", h("b", {}, percent(over(lanes - cost.lanes_lost, lanes))), `: of ${grouped(lanes)} lanes in ` +
      `${grouped(cost.issue_slots)} issue slots, ${grouped(cost.lanes_lost)} idled; full warps would need ` +
      `${grouped(cost.slots_lost)} slots less.`),
    words(profile),
    branchTable(profile, number),
    whatIfTable(profile),
    profile.command && command(profile.command));
}
