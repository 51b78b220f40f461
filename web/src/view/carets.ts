// Where in the code threads stand at a moment, by the mechanism's state: a caret per split.
import { type Entry, lanesOf, type Recording, type Row } from "./recording.ts";

export type CaretKind = "now" | "runs" | "waits" | "meets";
export interface Caret {
  pc: number;
  kind: CaretKind; // now: issued at this moment; meets: where threads will come together
  set: string; // lanes, as in states; "": not known
  mine: boolean; // of the warp that is issued
}

// Is the row about the threads that are issued by this event?
export function isMine(row: Row, recording: Recording, event: number): boolean {
  if (row.what === "static warp") {
    const first = row.number * recording.width;
    return recording.threadsOf(event).some((thread) => thread >= first && thread < first + recording.width);
  }
  if (row.what === "warp" || row.what === "large warp" || row.what === "gang") return row.number === recording.warp[event];
  return row.what.startsWith("stack") || row.what.startsWith("CAPT");
}

const running = new Set(["", "runs", "walks", "in the pool", "outside", "ahead"]);
const meeting = new Set(["barrier", "join"]);

// The place of an entry's threads: "pc" of those that run, "next" of those that will go on there.
export const placeOf = (entry: Entry) =>
  entry.fields.find((field) => field.kind === "code" && (field.name === "pc" || field.name === "next" || field.name === "at"));

function caretOf(entry: Entry, mine: boolean): Caret | null {
  const place = placeOf(entry), set = entry.fields.find((field) => field.kind === "threads");
  if (!place || Number(place.value) < 0) return null;
  const runs = running.has(entry.word) && place.name === "pc";
  return {
    pc: Number(place.value), kind: meeting.has(entry.word) ? "meets" : runs ? "runs" : "waits", set: String(set?.value ?? ""), mine,
  };
}

// The event's own caret first. Others of the same kind at the same place that are not mine are told once.
export function caretsAt(recording: Recording, event: number): Caret[] {
  const lanes = recording.threadsOf(event).map((thread, lane) => (thread < 0 ? -1 : lane)); // whichever warp its threads are of
  const carets: Caret[] = [{ pc: recording.pc[event]!, kind: "now", set: setOf(lanes, recording.width), mine: true }];
  const told = new Set<string>();
  for (const row of recording.stateAt(event)) {
    const mine = isMine(row, recording, event);
    for (const entry of row.entries) {
      const caret = caretOf(entry, mine);
      if (!caret || (mine && caret.kind === "runs" && caret.pc === carets[0]!.pc)) continue;
      const key = `${caret.pc} ${caret.kind}`;
      if (!mine && told.has(key)) continue;
      told.add(key);
      carets.push(caret);
    }
  }
  return carets;
}

// Threads of a block as a set of lanes of its static warps.
export function setOf(threads: number[], width: number): string {
  const words: number[] = [];
  for (const thread of threads) {
    if (thread < 0) continue;
    const word = Math.floor(thread / width);
    while (words.length <= word) words.push(0);
    words[word] = (words[word]! | (1 << (thread % width))) >>> 0;
  }
  return words.map((word) => word.toString(16)).join(".");
}

export const isEmpty = (set: string) => lanesOf(set).every((word) => word === 0);
