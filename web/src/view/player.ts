// What is shown, as one value, and how it changes. Nothing here touches the page.
import { type Alignment, aligned } from "./align.ts";
import type { Example, View } from "./data.ts";
import { everything, type Focus, Selection } from "./focus.ts";
import { type Moment, readLink } from "./link.ts";
import { Paths } from "./paths.ts";
import { diverged, Recording } from "./recording.ts";
import type { Axis } from "./strip_layout.ts";

export interface Settings {
  example: number;
  a: number; // which recording of the example
  b: number; // -1: none
  focus: Focus;
  place: number; // in the selection of a
  align: Alignment;
  axis: Axis;
  zoom: number;
}

// Recordings are unpacked when they are first looked at, selections made when they are first asked for.
export class Library {
  private readonly recordings = new Map<string, Recording>();
  private readonly paths = new Map<number, Paths[]>();
  private readonly selections: Selection[] = []; // the latest few

  constructor(readonly view: View) {}

  example(number: number): Example {
    return this.view.examples[number]!;
  }
  recording(example: number, number: number): Recording {
    const key = `${example}:${number}`;
    let recording = this.recordings.get(key);
    if (!recording) this.recordings.set(key, (recording = new Recording(this.example(example).recordings[number]!)));
    return recording;
  }
  pathsOf(example: number): Paths[] {
    let paths = this.paths.get(example);
    if (!paths) this.paths.set(example, (paths = this.example(example).kernels.map((kernel) => new Paths(kernel))));
    return paths;
  }
  selection(example: number, number: number, focus: Focus): Selection {
    const recording = this.recording(example, number);
    const known = this.selections.find((each) => each.recording === recording && each.focus === focus);
    if (known) return known;
    const fresh = new Selection(recording, focus);
    this.selections.unshift(fresh);
    this.selections.length = Math.min(this.selections.length, 6);
    return fresh;
  }
}

export const zooms = [1, 2, 3, 4, 6, 8, 11, 14, 18, 24, 32];

// Few events are drawn large, many not smaller than `least`.
export function fittingZoom(count: number, width: number, least: number): number {
  const fits = width / Math.max(1, count);
  return Math.max(least, [...zooms].reverse().find((zoom) => zoom <= fits) ?? least);
}

// Of the first launch and core in focus: from its first event to its last.
function cyclesOf({ events, recording }: Selection): number {
  if (events.length === 0) return 0;
  const first = events[0]!;
  let last = first;
  for (const event of events) if (recording.launch[event] === recording.launch[first]) last = event;
  return recording.cycle[last]! - recording.cycle[first]! + 2;
}

function zoomOf(library: Library, { example, a, focus, axis }: Pick<Settings, "example" | "a" | "focus" | "axis">, width: number): number {
  const selection = library.selection(example, a, focus);
  return axis === "cycle" ? fittingZoom(cyclesOf(selection), width, 2) : fittingZoom(selection.length, width, 4);
}

const follows = 500; // events that can be followed cycle by cycle

export function start(library: Library, example: number, width: number): Settings {
  const recordings = library.example(example).recordings;
  const a = Math.max(0, recordings.findIndex((recording) => recording.count > 0));
  const b = recordings.findIndex((recording, i) => i !== a && recording.count > 0);
  const recording = library.recording(example, a), axis = recording.timed && recording.count <= follows ? "cycle" : "slot";
  // The first divergence, where there is one: before it there is little to see.
  const place = library.selection(example, a, everything).next(-1, diverged);
  const zoom = zoomOf(library, { example, a, focus: everything, axis }, width);
  return { example, a, b, focus: everything, place: Math.max(0, place), align: axis, axis, zoom };
}

// As a link has it; what it does not say, or says wrong, is as at the start.
export function fromLink(library: Library, hash: string, width: number): Settings {
  const moment = readLink(hash);
  const example = Math.max(0, library.view.examples.findIndex((each) => each.name === moment.example));
  const settings = start(library, example, width), recordings = library.example(example).recordings;
  const named = (name: string | null, other: number) => {
    if (name === "") return -1;
    const found = recordings.findIndex((recording) => recording.mechanism === name);
    return found < 0 ? other : found;
  };
  settings.a = Math.max(0, named(moment.a, settings.a));
  settings.b = named(moment.b, settings.b);
  if (settings.a === settings.b) settings.b = -1;
  settings.focus = Object.values(moment.focus).every((each) => each === null) ? everything : moment.focus;
  settings.align = moment.align ?? settings.align;
  const { timed } = library.recording(example, settings.a);
  settings.axis = timed ? moment.axis ?? settings.axis : "slot";
  settings.zoom = zoomOf(library, settings, width);
  const selection = library.selection(example, settings.a, settings.focus);
  settings.place = moment.slot === null ? Math.max(0, selection.next(-1, diverged)) : selection.placeOfSlot(moment.launch, moment.slot);
  return settings;
}

export function momentOf(library: Library, settings: Settings): Moment {
  const { view } = library, { recordings, name } = library.example(settings.example);
  const selection = library.selection(settings.example, settings.a, settings.focus), event = selection.events[settings.place];
  return {
    example: view.examples.length > 1 ? name : null,
    a: recordings[settings.a]!.mechanism, b: settings.b < 0 ? "" : recordings[settings.b]!.mechanism,
    launch: event === undefined ? 0 : selection.recording.launch[event]!, slot: event === undefined ? 0 : selection.recording.slot[event]!,
    align: settings.align, axis: settings.axis, focus: settings.focus,
  };
}

// Another focus, or other mechanisms, at the same moment as near as may be.
export function refocused(library: Library, settings: Settings, change: Partial<Settings>, width: number): Settings {
  const { launch, slot } = momentOf(library, settings), next = { ...settings, ...change };
  if (change.axis !== undefined) next.zoom = zoomOf(library, next, width);
  return { ...next, place: library.selection(next.example, next.a, next.focus).placeOfSlot(launch, slot ?? 0) };
}

export function placeOfB(library: Library, settings: Settings): number {
  const from = library.selection(settings.example, settings.a, settings.focus);
  return aligned(from, settings.place, library.selection(settings.example, settings.b, settings.focus), settings.align);
}
