// Where the events of a strip lie: one column per issue slot, or a column per cycle with gaps where nothing was issued.
import { lastAtMost } from "./column.ts";
import type { Selection } from "./focus.ts";

export type Axis = "slot" | "cycle";

export interface Column {
  place: number; // in the selection
  x: number;
}

// The time of a place on the axis.
export const timeOf = (selection: Selection, place: number, axis: Axis) =>
  axis === "slot" ? place : selection.recording.cycle[selection.events[place]!]!;

// With a clock, only of one core at a time and of one launch: cycles of others are not in order.
export function columnsIn(selection: Selection, axis: Axis, from: number, to: number, zoom: number, like: number): Column[] {
  const columns: Column[] = [];
  if (axis === "slot") {
    for (let place = Math.max(0, Math.floor(from)); place < Math.min(selection.length, to); ++place) columns.push({ place, x: (place - from) * zoom });
    return columns;
  }
  const { recording, events } = selection, event = events[like]!;
  for (const step of [-1, 1])
    for (let place = step < 0 ? like : like + 1; place >= 0 && place < events.length; place += step) {
      const other = events[place]!, time = recording.cycle[other]!;
      if (recording.launch[other] !== recording.launch[event] || time < from - 1 || time > to) break;
      if (recording.core[other] === recording.core[event]) columns.push({ place, x: (time - from) * zoom });
    }
  return columns;
}

// The place drawn at a point of the strip, or -1.
export function placeAt(columns: Column[], x: number, zoom: number): number {
  const sorted = [...columns].sort((a, b) => a.x - b.x);
  const found = lastAtMost(sorted.map((column) => column.x), x);
  if (found < 0) return -1;
  return x < sorted[found]!.x + Math.max(zoom, 1) ? sorted[found]!.place : -1;
}

export const laneHeight = (width: number) => Math.max(3, Math.min(18, Math.floor(136 / width)));
