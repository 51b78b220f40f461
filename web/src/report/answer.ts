// What a page has to say, as its title and its first sentence.
import type { Claim, Reproduction } from "../shared/data.ts";
import { change, counted, percent } from "../shared/format.ts";
import { over, present, sum } from "../shared/numbers.ts";
import type { RunGroup } from "./run_group.ts";
import { type Class, firstOf, type Standing, type Standings, winsOf } from "./standings.ts";

export interface Answer {
  title: string;
  sentence: string;
}

const resolution = 0.005; // speeds that are nearer do not differ
const asFast = (ratio: number, first: string) =>
  ratio < 2 ? `${change(ratio).slice(1)} faster than ${first}` : `${ratio.toFixed(1)} times as fast as ${first}`;
const asActive = (ratio: number, first: string) =>
  ratio < 2 ? `${change(ratio).slice(1)} more active threads per slot than ${first}` : `${ratio.toFixed(1)} times the active threads per slot of ${first}`;
const listed = (words: string[], most: number) =>
  words.length <= most ? words.join(", ") : `${words.slice(0, most).join(", ")} and ${words.length - most} more`;

function bestOf(standings: Standings): Standing | undefined {
  const known = standings.rows.filter((each) => each.speed.all !== null && !each.bound);
  return known.sort((a, b) => (b.speed.all as number) - (a.speed.all as number))[0];
}

// Where the best one is slower than the first.
function losses(standings: Standings, name: string): string {
  const lost = standings.contests.flatMap(({ workload, ratios }) => {
    const ratio = ratios[name];
    return typeof ratio === "number" && ratio < 1 - resolution ? [{ workload, ratio }] : [];
  }).sort((a, b) => a.ratio - b.ratio).map(({ workload, ratio }) => `${workload} (${change(ratio)})`);
  return lost.length === 0 ? "It is slower on none." : `It is slower on ${listed(lost, 4)}.`;
}

// Of one class of workloads, who is faster than the first.
function besides(standings: Standings, which: Class): string {
  const speed = (each: Standing) => (each.bound ? 0 : each.speed[which] ?? 0);
  const [best] = [...standings.rows].sort((a, b) => speed(b) - speed(a));
  const where = which === "divergent" ? "Where programs diverge" : "Where they do not diverge";
  return best && speed(best) > 1 + resolution ? ` ${where}, ${best.name} has ${change(speed(best))}.` : "";
}

// Who is fastest, by how much, and where not.
export function standingsAnswer(standings: Standings): Answer | null {
  const best = bestOf(standings), first = firstOf(standings), all = best?.speed.all;
  if (!best || typeof all !== "number" || standings.rows.length < 2) return null;
  const one = standings.contests.length === 1;
  if (all < 1 + resolution)
    return {
      title: `Nothing is faster than ${first}${one ? ` on ${standings.contests[0].workload}` : ""}`,
      sentence: `Of ${counted(standings.rows.length, standings.what)} none has a mean ${standings.speed} more than 0.5 % above that of ${first}` +
        `, over ${counted(best.workloads, "workload")}.${besides(standings, "divergent")}${besides(standings, "coherent")}`,
    };
  const title = `${best.name} ${standings.timed ? `is ${asFast(all, first)}` : `has ${asActive(all, first)}`}`;
  if (one) return { title: `${title} on ${standings.contests[0].workload}`, sentence: `Of ${counted(standings.rows.length, standings.what)}, by ${standings.speed}.` };
  const { divergent, coherent } = best.speed;
  const parts = [divergent !== null && `${change(divergent)} where programs diverge`, coherent !== null && `${change(coherent)} where they do not`]
    .filter((part) => part !== false);
  const wins = winsOf(standings, best.name), most = standings.rows.filter((each) => winsOf(standings, each.name).length > wins.length);
  const busiest = most.sort((a, b) => winsOf(standings, b.name).length - winsOf(standings, a.name).length)[0];
  return {
    title,
    sentence: `In the mean of ${counted(best.workloads, "workload")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}. It is the fastest on ${wins.length} of ${standings.contests.length}` +
      `${busiest ? `, ${busiest.name} on ${winsOf(standings, busiest.name).length}` : ""}. ${losses(standings, best.name)}`,
  };
}

// What a class of cycles is.
function wordsOf(name: string): string {
  if (name === "Stall") return "a warp is ready and the pipeline does not take it (Stall)";
  if (name === "W0_Mem") return "all wait for memory (W0_Mem)";
  if (name === "W0_Idle") return "nothing is ready, and not for memory's sake (W0_Idle)";
  return `an instruction is issued for ${name.slice(1)} threads`;
}

// One mechanism: where its time goes.
export function runAnswer(group: RunGroup): Answer {
  const efficiency = present(group.workloads.map((_, w) => group.number(w, 0, "simd_efficiency")));
  const what = group.workloads.length === 1 ? group.workloads[0] : counted(group.workloads.length, "workload");
  const lanes = over(sum(efficiency), efficiency.length);
  const title = `${what} under ${group.mechanisms[0]}: ${efficiency.length === 0 ? "no result" : `${percent(lanes)} of the lanes are active`}`;
  const parts = new Map<string, number>();
  for (const [w] of group.places())
    for (const [name, cycles] of Object.entries(group.with(w, 0, "breakdown")?.total.breakdown ?? {}))
      parts.set(name, (parts.get(name) ?? 0) + cycles);
  const whole = sum(parts.values()), largest = [...parts].sort(([, a], [, b]) => b - a).slice(0, 3).filter(([, cycles]) => cycles > 0);
  if (whole === 0) return { title, sentence: "Counted in issue slots, without a clock." };
  return { title, sentence: `Of the cycles of all cores: in ${largest.map(([name, cycles]) => `${percent(cycles / whole)} ${wordsOf(name)}`).join(", in ")}.` };
}

export function claimsAnswer(reproduction: Reproduction): Answer | null {
  const claims = reproduction.experiments.flatMap((each): Claim[] => each.claims);
  if (claims.length === 0) return null;
  const count = (verdict: string) => claims.filter((claim) => claim.verdict === verdict).length;
  const rest = ["does not hold", "not distinguishable here", "not measured"].filter((verdict) => count(verdict) > 0)
    .map((verdict) => `${verdict}: ${count(verdict)}`);
  const papers = reproduction.experiments.filter((each) => each.claims.length > 0).length;
  return {
    title: `${count("holds")} of ${counted(claims.length, "claim")} hold, ${count("holds in direction")} more in direction`,
    sentence: `${rest.length > 0 ? `The others: ${rest.join(", ")}. ` : ""}Measured for ${counted(papers, "paper")} at ${
      reproduction.quick ? "small sizes, a preview" : "the sizes of the papers"}.`,
  };
}
