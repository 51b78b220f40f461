// All cycles of the cores in one bar: issue, and what was waited for.
import type { Profile } from "../shared/data.ts";
import { type Child, h } from "../shared/dom.ts";
import { percent } from "../shared/format.ts";
import { over, sum } from "../shared/numbers.ts";
import { causeWords } from "./columns.ts";

export interface Part {
  name: string;
  words: string;
  cycles: number;
}

// The largest first; issue before all.
export function partsOf(profile: Profile): Part[] {
  if (!profile.time) return [];
  const waits = new Map(Object.entries(profile.time.waited));
  for (const [cause, cycles] of Object.entries(profile.time.charged_to_no_line)) waits.set(cause, (waits.get(cause) ?? 0) + cycles);
  const issue = profile.time.core_cycles - sum(waits.values());
  const others = [...waits].map(([name, cycles]) => ({ name, words: `wait for ${causeWords(name)}`, cycles })).sort((a, b) => b.cycles - a.cycles);
  return [{ name: "issue", words: "issue an instruction", cycles: issue }, ...others].filter(({ cycles }) => cycles > 0);
}

export function whereCyclesGo(profile: Profile): Child {
  const parts = partsOf(profile);
  if (!profile.time || parts.length === 0) return null;
  const all = profile.time.core_cycles, share = (part: Part) => over(part.cycles, all);
  const key = (name: string) => `cause c-${name.replace(" ", "-")}`;
  return [
    h("h3", {}, "Where the cycles go"),
    h("div", { class: "causes", role: "img", "aria-label": parts.map((part) => `${percent(share(part))} ${part.words}`).join(", ") },
      parts.map((part) => h("span", { class: key(part.name), style: `flex-grow:${share(part).toFixed(4)}`, title: `${percent(share(part))} ${part.words}` }))),
    h("ul", { class: "legend" }, parts.map((part) =>
      h("li", {}, h("span", { class: `key ${key(part.name)}` }), `${percent(share(part))} ${part.words}`))),
  ];
}
