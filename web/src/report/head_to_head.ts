// All mechanisms on one machine, as heddle reproduce has laid them side by side, and the points of a sweep.
import { type Chart, newChart } from "../charts/chart.ts";
import { mechanismColour } from "../shared/colours.ts";
import type { HeadToHead } from "../shared/data.ts";
import { change } from "../shared/format.ts";
import { classes, firstOf, type Standings } from "./standings.ts";

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

export function standingsOf(given: HeadToHead, what = "mechanism"): Standings {
  const timed = given.mechanisms.every((each) => "ipc_all" in each), field = timed ? "ipc" : "active_threads_per_slot";
  const means = classes.map((which) => given.workloads.filter((each) => each.class === which && each.in_means).length);
  return {
    what, timed, speed: timed ? "IPC" : "active threads per slot", speedField: field,
    rows: given.mechanisms.map((each) => ({
      name: each.name, colour: mechanismColour(each.name), bound: each.bound === true, workloads: means[0] + means[1], counted: "",
      speed: {
        divergent: numberOf(each[`${field}_divergent`]), coherent: numberOf(each[`${field}_coherent`]), all: numberOf(each[`${field}_all`]),
      },
      figures: Object.fromEntries(Object.entries(each).map(([name, value]) => [name, numberOf(value)])),
    })),
    contests: given.workloads.map((each) => ({
      workload: each.workload, class: each.class === "divergent" ? "divergent" : "coherent", winner: each.winner, tied: each.tied ?? [],
      ratios: each[`${field}_against_first`] as Record<string, number | null>, missing: each.missing ?? {},
    })),
    means: `the ${means[0]} divergent and ${means[1]} coherent workloads that all of them ran right`,
  };
}

// Means.
export function meansChart(standings: Standings, command: string): Chart {
  const first = firstOf(standings);
  const fields = [["divergent", "wrong2"], ["coherent", "right2"], ["all", "soft"]] as const;
  return newChart("contenders", {
    title: `Mean speed against ${first}, on divergent and on coherent workloads`,
    caption: `${standings.speed} over that of ${first}: harmonic means over ${standings.means}. Bars to the right are faster, to ` +
      "the left slower.",
    values: `${standings.speed} / that of ${first}`, groups: standings.what, from: 1, command,
    series: fields.map(([name, colour]) => ({ name, colour })),
    data: standings.rows.flatMap((each) => fields.map(([which], series) => ({ group: each.name, series, value: each.speed[which] }))),
  });
}

// Workload by workload.
export function contestsChart(standings: Standings, command: string): Chart {
  const first = firstOf(standings), names = standings.rows.map((each) => each.name);
  const data = classes.flatMap((which) => standings.contests.filter((each) => each.class === which).flatMap((contest) =>
    names.map((name, series) => {
      const value = contest.ratios[name] ?? null;
      const tied = contest.tied.includes(name) ? `tied with ${contest.winner}` : "";
      const note = value === null ? contest.missing[name] ?? "" : tied;
      return { group: contest.workload, bar: which, series, value, note, best: contest.winner === name };
    })));
  return newChart("contests", {
    kind: "heat",
    title: `Which ${standings.what} wins where`,
    caption: `${standings.speed} over that of ${first}, workload by workload; divergent workloads above, coherent ` +
      `ones below. Blue is faster, orange slower (a field of ${change(2)} or more is full); the fastest has a frame.`,
    values: `${standings.speed} / that of ${first}`, groups: "workload", from: 1, command,
    series: standings.rows.map((each) => ({ name: each.name, colour: each.colour })), data,
  });
}
