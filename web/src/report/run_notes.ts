// What must be known of runs side by side beside their figures.
import { type Child, folded, h } from "../shared/dom.ts";
import { percent } from "../shared/format.ts";
import { unique } from "../shared/numbers.ts";
import type { RunGroup } from "./run_group.ts";

// Runs that do not count, and why.
export function failures(group: RunGroup): Child {
  const failed = [...group.places()].filter(([w, m]) => group.at(w, m).length > 0 && !group.passed(w, m));
  if (failed.length === 0) return null;
  return folded("Runs that do not count", { class: "failures" }, h("ul", {}, failed.map(([w, m]) =>
    h("li", {}, h("b", {}, `${group.workloads[w]} under ${group.mechanisms[m]}`), `: ${group.outcome(w, m)}. ${group.why(w, m)}`))));
}

const most = 0.5; // of the cycles of all cores: more without a block, and the machine was not filled

// Workloads whose cores had no block for most of their cycles.
export function unfilled(group: RunGroup): { workload: string; share: number }[] {
  return group.workloads.flatMap((workload, w) => {
    const share = group.share(w, 0, "empty_cycles");
    return share !== null && share > most ? [{ workload, share }] : [];
  });
}

export function fillingNotice(group: RunGroup): Child {
  const empty = unfilled(group);
  if (empty.length === 0) return null;
  return h("p", { class: "notice filling" }, h("b", {}, "The inputs do not fill this machine. "),
    `Its cores have no block for most of their cycles on ${empty.map(({ workload, share }) => `${workload} (${percent(share)})`).join(", ")}; ` +
    "what is measured there is what a few cores do.");
}

// Every result echoes the configuration it was measured on: the keys it reads.
export function machine(group: RunGroup): Child {
  const configs = unique([...group.places()].flatMap(([w, m]) => group.at(w, m)).map((run) => run.config));
  const all = new Map(configs.flatMap((config) => Object.entries(config)));
  const keys = [...all].map(([key, value]) => h("div", {}, h("dt", {}, key), h("dd", {}, String(value))));
  return folded("The machine, key by key", { class: "machine" }, h("dl", {}, keys));
}
