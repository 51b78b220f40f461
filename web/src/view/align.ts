// Two mechanisms on the same program: which moment of the second belongs to one of the first?
import type { Selection } from "./focus.ts";

export type Alignment = "slot" | "progress" | "cycle";

// slot: the same slot of the same launch, counted among those in focus. progress: as many thread instructions of the
// launch have been done. cycle: the same cycle.
export function aligned(from: Selection, place: number, to: Selection, by: Alignment): number {
  if (to.length === 0 || from.length === 0) return 0;
  const event = from.events[place]!, launch = from.recording.launch[event]!;
  const [first, end] = ofLaunch(to, launch);
  if (first === end) return Math.min(first, to.length - 1);
  if (by === "slot") return Math.min(first + place - ofLaunch(from, launch)[0], end - 1);
  const measure = by === "progress" ? progressIn : (selection: Selection, at: number) => selection.recording.cycle[selection.events[at]!]!;
  const wanted = measure(from, place);
  let low = first, high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (measure(to, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, end - 1);
}

// Places of a launch in a selection: the first, and one behind the last.
function ofLaunch(selection: Selection, launch: number): [number, number] {
  const { events, recording } = selection;
  const behind = (limit: number) => {
    let low = 0, high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (recording.launch[events[middle]!]! < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [behind(launch), behind(launch + 1)];
}

const sums = new WeakMap<Selection, Float64Array>();

// Thread instructions of the events in focus, up to and with this place.
function progressIn(selection: Selection, place: number): number {
  let sum = sums.get(selection);
  if (!sum) {
    const { events, recording } = selection;
    sum = new Float64Array(events.length);
    for (let i = 0; i < events.length; ++i) {
      const goesOn = i > 0 && recording.launch[events[i]!] === recording.launch[events[i - 1]!];
      sum[i] = (goesOn ? sum[i - 1]! : 0) + recording.active[events[i]!]!;
    }
    sums.set(selection, sum);
  }
  return sum[place]!;
}
