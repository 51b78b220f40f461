// Which events are looked at, and moving among them.
import { lastAtMost } from "./column.ts";
import { diverged, merged, type Recording } from "./recording.ts";

// null: all of them.
export interface Focus {
  launch: number | null;
  core: number | null;
  block: number | null;
  warp: number | null;
}
export const everything: Focus = { launch: null, core: null, block: null, warp: null };
export const parts = ["launch", "core", "block", "warp"] as const;

// The events in focus, by their numbers, which ascend.
export class Selection {
  readonly events: Uint32Array;
  private readonly marks = new Map<number, Uint32Array>();

  constructor(readonly recording: Recording, readonly focus: Focus) {
    const wanted = parts.filter((part) => focus[part] !== null);
    const found: number[] = [];
    for (let i = 0; i < recording.count; ++i)
      if (wanted.every((part) => recording[part][i] === focus[part])) found.push(i);
    this.events = Uint32Array.from(found);
  }
  get length(): number {
    return this.events.length;
  }
  // Places in this selection that bear a mark.
  marked(mark: number): Uint32Array {
    let places = this.marks.get(mark);
    if (!places) {
      const { flags } = this.recording;
      places = Uint32Array.from(Array.from(this.events.keys()).filter((place) => (flags[this.events[place]!]! & mark) !== 0));
      this.marks.set(mark, places);
    }
    return places;
  }
  // The nearest marked place behind or before; the place itself if there is none.
  next(place: number, mark: number): number {
    const places = this.marked(mark), found = lastAtMost(places, place) + 1;
    return found < places.length ? places[found]! : place;
  }
  previous(place: number, mark: number): number {
    const places = this.marked(mark), found = lastAtMost(places, place - 1);
    return found >= 0 ? places[found]! : place;
  }
  // The place of the last event that is not behind this slot of that launch, or the first there is.
  placeOfSlot(launch: number, slot: number): number {
    const { recording, events } = this;
    let low = 0, high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1, event = events[middle]!;
      const before = recording.launch[event]! < launch || (recording.launch[event] === launch && recording.slot[event]! <= slot);
      if (before) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

const known = new WeakMap<Focus, Map<string, number[]>>();

// Distinct values of a column among the events that the other parts of the focus let through.
export function choices(recording: Recording, focus: Focus, part: (typeof parts)[number]): number[] {
  const ofFocus = known.get(focus) ?? new Map<string, number[]>(), key = `${recording.id} ${part}`;
  known.set(focus, ofFocus);
  const found = ofFocus.get(key) ?? distinct(recording, focus, part);
  ofFocus.set(key, found);
  return found;
}

function distinct(recording: Recording, focus: Focus, part: (typeof parts)[number]): number[] {
  const others = parts.filter((each) => each !== part && focus[each] !== null);
  const values = new Set<number>();
  for (let i = 0; i < recording.count; ++i)
    if (others.every((each) => recording[each][i] === focus[each])) values.add(recording[part][i]!);
  return [...values].sort((a, b) => a - b);
}

export const marksOf = { divergence: diverged, merge: merged };
