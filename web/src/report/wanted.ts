// What a page could show beside what it shows, and the command that makes it.
import { type Chart, isEmpty } from "../charts/chart.ts";
import type { Results } from "../shared/data.ts";
import { compactionChart, decisionChart } from "./branches.ts";
import type { RunGroup } from "./run_group.ts";
import { ipcChart } from "./speed.ts";

export interface Wanted {
  what: string;
  command: string;
}

const toPage = "heddle report results -o report.html";

export function wanted(results: Results, groups: RunGroup[], curves: Chart[]): Wanted[] {
  const none = (chartOf: (group: RunGroup) => Chart) => groups.every((group) => isEmpty(chartOf(group)));
  const noCurve = (key: string) => !curves.some((chart) => chart.id.startsWith(`curve-${key}`));
  const list: Wanted[] = [];
  const add = (missing: boolean, what: string, command: string) => missing && list.push({ what, command });
  if (results.runs.length === 0 && results.reproductions.length === 0) return list; // a profile is complete
  add(none(ipcChart), "Speed of mechanisms, idle cycles, memory traffic and stalls (cycle level)",
    "heddle compare --mechanisms pdom,tbc,capri,lwm,dwf --preset tbc-hpca11 --json results.json");
  add(none(compactionChart), "Compaction rates of P- and D-branches by lane map",
    "heddle compare --mechanisms tbc --emulate --taint --json results.json");
  add(none(decisionChart), "CAPRI's four outcomes",
    "heddle compare --mechanisms tbc,capri --preset capri-isca12 --scores --json results.json");
  add(noCurve("capt_entries"), "The curve over the CAPT size",
    "for n in 4 8 16 32 64 0; do heddle compare --mechanisms capri --preset capri-isca12 --set capt_entries=$n --json " +
      `results/capt-$n.json; done; ${toPage}`);
  add(noCurve("warp_size"), "The curve over the warp size",
    "for n in 8 16 32; do heddle compare --mechanisms pdom,tbc --emulate --set warp_size=$n --json " +
      `results/warp-$n.json; done; ${toPage}`);
  add(noCurve("fetch_group"), "The curve over the fetch group",
    "for n in 1 2 4 8 16 32; do heddle compare --mechanisms pdom,lwm --preset large-warp-2010 --schedule two-level --set " +
      `fetch_group=$n --json results/fetch-$n.json; done; ${toPage}`);
  add(results.reproductions.length === 0, "What the papers claim, and what is measured here",
    `heddle reproduce --quick --json results/reproduction.json; ${toPage}`);
  add(results.profiles.length === 0, "A kernel's source with what each line and branch costs",
    "heddle profile bfs --emulate --taint --json profile.json; heddle report profile.json -o report.html");
  return list;
}
