// What a clock shows beside the issue slots: cycles in which a core issued nothing, and memory instructions under way.
import { unpack } from "./column.ts";
import type { PackedRecording } from "./data.ts";

export interface Wait {
  from: number;
  cycles: number;
  cause: number;
  pc: number; // what was waited for; -1: nothing that has one
}
export interface Flight {
  warp: number;
  pc: number;
  issued: number;
  done: number;
  missed: boolean;
}

// The first of ascending numbers that is not below the limit.
function firstFrom<Item>(items: Item[], limit: number, of: (item: Item) => number): number {
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(items[middle]!) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Clockwork {
  readonly causes: string[];
  private readonly waits = new Map<string, Wait[]>(); // by launch and core, in the order of time
  private readonly flights = new Map<string, Flight[]>(); // by when they are done
  private longest = 0; // flight

  constructor({ waits, flights }: PackedRecording) {
    this.causes = waits.causes;
    const wait = (name: "launch" | "core" | "from" | "cycles" | "cause" | "pc") => unpack(waits[name], waits.count);
    const [launch, core, from, cycles, cause, pc] = [wait("launch"), wait("core"), wait("from"), wait("cycles"), wait("cause"), wait("pc")];
    for (let i = 0; i < waits.count; ++i)
      listOf(this.waits, launch![i]!, core![i]!).push({ from: from![i]!, cycles: cycles![i]!, cause: cause![i]!, pc: pc![i]! - 1 });
    const flight = (name: "launch" | "core" | "warp" | "pc" | "issued" | "done" | "missed") => unpack(flights[name], flights.count);
    const [ofLaunch, ofCore, warp, at, issued, done, missed] = [flight("launch"), flight("core"), flight("warp"), flight("pc"), flight("issued"), flight("done"), flight("missed")];
    for (let i = 0; i < flights.count; ++i) {
      this.longest = Math.max(this.longest, done![i]! - issued![i]!);
      listOf(this.flights, ofLaunch![i]!, ofCore![i]!).push({ warp: warp![i]!, pc: at![i]!, issued: issued![i]!, done: done![i]!, missed: missed![i]! > 0 });
    }
  }
  waitsIn(launch: number, core: number, from: number, to: number): Wait[] {
    const all = this.waits.get(`${launch}:${core}`) ?? [], found: Wait[] = [];
    for (let i = firstFrom(all, from, (wait) => wait.from + wait.cycles); i < all.length && all[i]!.from < to; ++i) found.push(all[i]!);
    return found;
  }
  flightsIn(launch: number, core: number, from: number, to: number): Flight[] {
    const all = this.flights.get(`${launch}:${core}`) ?? [], found: Flight[] = [];
    for (let i = firstFrom(all, from, (flight) => flight.done); i < all.length && all[i]!.done < to + this.longest; ++i)
      if (all[i]!.issued < to) found.push(all[i]!);
    return found;
  }
  // The waits that ended with the issue in this cycle.
  waitsBefore(launch: number, core: number, cycle: number): Wait[] {
    const all = this.waits.get(`${launch}:${core}`) ?? [], found: Wait[] = [];
    let end = cycle;
    for (let i = firstFrom(all, cycle, (wait) => wait.from) - 1; i >= 0 && all[i]!.from + all[i]!.cycles === end; --i) {
      found.unshift(all[i]!);
      end = all[i]!.from;
    }
    return found;
  }
}

function listOf<Item>(lists: Map<string, Item[]>, launch: number, core: number): Item[] {
  const key = `${launch}:${core}`;
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}

// Rows for bars that overlap in time: as few as it takes, no more than `most`.
export function stacked(flights: Flight[], most: number): { flight: Flight; row: number }[] {
  const free: number[] = [], placed: { flight: Flight; row: number }[] = [];
  for (const flight of [...flights].sort((a, b) => a.issued - b.issued)) {
    let row = free.findIndex((until) => until <= flight.issued);
    if (row < 0) row = free.length;
    if (row >= most) continue;
    free[row] = flight.done;
    placed.push({ flight, row });
  }
  return placed;
}
