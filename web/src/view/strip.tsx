// Lanes by issue slot: a column for each event in focus, coloured by the path its threads are on; idle lanes are dark.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Ink, inkOf, pen, useTheme, useWidth } from "./canvas.ts";
import { stacked } from "./clockwork.ts";
import type { Selection } from "./focus.ts";
import { Paths } from "./paths.ts";
import { diverged, merged } from "./recording.ts";
import { type Axis, type Column, columnsIn, laneHeight, placeAt, timeOf } from "./strip_layout.ts";

const marks = 9; // pixels below the lanes, for divergences and merges
const flightRows = 6, flightHeight = 5; // below those, with a clock: memory instructions under way

interface StripProps {
  name: string;
  selection: Selection;
  paths: Paths[]; // by kernel
  place: number;
  zoom: number; // pixels of a slot, or of a cycle
  axis: Axis;
  goTo: (place: number) => void;
  zoomBy: (steps: number) => void;
}

function drawColumn(context: CanvasRenderingContext2D, { selection, paths, zoom: ofCycle, axis }: StripProps, column: Column, ink: Ink): void {
  const { recording } = selection, event = selection.events[column.place]!, height = laneHeight(recording.width);
  const zoom = axis === "cycle" ? ofCycle * recording.packed.issue_cycles : ofCycle;
  const width = Math.max(0.5, zoom > 3 ? zoom - 1 : zoom);
  const bottom = recording.width * height, colour = paths[recording.kernelOf(event)]!.colour(recording.pc[event]!);
  if ((recording.flags[event]! & 1) === 0) {  // beside another, the lanes that are free are drawn already
    context.fillStyle = ink.idle;
    context.fillRect(column.x, 0, width, bottom);
  }
  context.fillStyle = colour;
  const phantom = recording.phantom(event);
  if (phantom !== null) { // pale; with no thread at all a line
    context.globalAlpha = 0.35;
    context.fillRect(column.x, 0, width, Math.max(2, Math.min(phantom, recording.width) * height));
    context.globalAlpha = 1;
  }
  for (let lane = 0, from = -1; lane <= recording.width; ++lane) {
    const active = lane < recording.width && recording.thread(event, lane) >= 0;
    if (active && from < 0) from = lane;
    if (active || from < 0) continue;
    context.fillRect(column.x, from * height, width, (lane - from) * height - (height > 5 ? 1 : 0));
    from = -1;
  }
  if (zoom >= 18 && height >= 12) numberLanes(context, selection, event, column.x + width / 2, height);
  const flags = recording.flags[event]!;
  for (const [mark, fill, at] of [[diverged, ink.diverge, 0], [merged, ink.merge, 0]] as const) {
    if ((flags & mark) === 0) continue;
    context.fillStyle = fill;
    context.fillRect(column.x + at, bottom + (mark === diverged ? 2 : 6), Math.max(width, 1.5), 3);
  }
}

function numberLanes(context: CanvasRenderingContext2D, selection: Selection, event: number, middle: number, height: number): void {
  context.fillStyle = "#fff";
  context.font = `600 ${Math.min(11, height - 3)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let lane = 0; lane < selection.recording.width; ++lane) {
    const thread = selection.recording.thread(event, lane);
    if (thread >= 0) context.fillText(String(thread), middle, (lane + 0.5) * height);
  }
}

// Gaps in the colour of what is waited for; below, memory instructions from their issue to their return.
function drawClock(context: CanvasRenderingContext2D, { selection, paths, place, zoom }: StripProps, from: number, to: number, ink: Ink): void {
  const { recording } = selection, event = selection.events[place]!, launch = recording.launch[event]!, core = recording.core[event]!;
  const bottom = recording.width * laneHeight(recording.width), ofKernel = paths[recording.kernelOf(event)]!;
  for (const wait of recording.clockwork.waitsIn(launch, core, from, to)) {
    context.fillStyle = ink.waits[wait.cause] ?? ink.line;
    context.fillRect((wait.from - from) * zoom, 0, wait.cycles * zoom, bottom);
  }
  for (const { flight, row } of stacked(recording.clockwork.flightsIn(launch, core, from, to), flightRows)) {
    const x = (flight.issued - from) * zoom, y = bottom + marks + row * flightHeight;
    context.fillStyle = ofKernel.colour(flight.pc);
    context.fillRect(x, y + 1, Math.max(1, (flight.done - flight.issued) * zoom), flight.missed ? 3 : 1);
    context.beginPath();
    context.arc(x + (flight.done - flight.issued) * zoom, y + 2, 2.4, 0, 7);
    context.fill();
  }
}

// Of the launch and core of a place: its first cycle and its last.
function cyclesAround({ events, recording }: Selection, place: number): [number, number] {
  const like = events[place]!;
  const end = (step: number) => {
    let last = like;
    for (let i = place; i >= 0 && i < events.length && recording.launch[events[i]!] === recording.launch[like] && Math.abs(i - place) < 4000; i += step)
      if (recording.core[events[i]!] === recording.core[like]) last = events[i]!;
    return recording.cycle[last]!;
  };
  return [end(-1), end(1)];
}

// The first time shown: the moment stands in the middle, but not where that leaves one side empty.
function firstTime({ selection, place, axis, zoom }: StripProps, width: number): number {
  const shown = width / zoom, time = timeOf(selection, place, axis);
  if (axis === "cycle") {
    const [first, last] = cyclesAround(selection, place);
    return Math.max(first - 1, Math.min(time - shown / 2, last + 2 - shown));
  }
  return Math.max(0, Math.min(time - shown / 2, selection.length - shown));
}

export function Strip(props: StripProps) {
  const { selection, place, zoom, axis, goTo, zoomBy, name } = props;
  const { box, width } = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null), columns = useRef<Column[]>([]);
  const theme = useTheme();
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return;
    const { recording } = selection, bottom = recording.width * laneHeight(recording.width);
    const context = pen(canvas.current, width, bottom + marks + (axis === "cycle" ? flightRows * flightHeight : 0)), ink = inkOf(canvas.current);
    if (selection.length === 0) return;
    const from = firstTime(props, width);
    columns.current = columnsIn(selection, axis, from, from + width / zoom, zoom, place);
    if (axis === "cycle") drawClock(context, props, from, from + width / zoom, ink);
    for (const column of columns.current) drawColumn(context, props, column, ink);
    const now = columns.current.find((column) => column.place === place);
    if (!now) return;
    for (const [colour, line] of [[ink.paper, 5], [ink.ink, 2]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = line;
      context.strokeRect(now.x - 1, 1, Math.max(axis === "cycle" ? zoom * recording.packed.issue_cycles : zoom, 3) + 1, bottom - 2);
    }
  }, [selection, place, zoom, axis, width, theme]);
  useEffect(() => {
    const element = canvas.current;
    const turned = (event: WheelEvent) => {
      if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      event.preventDefault();
      if (event.ctrlKey) zoomBy(event.deltaY < 0 ? 1 : -1);
      else goTo(place + Math.sign(event.deltaX));
    };
    element?.addEventListener("wheel", turned, { passive: false });
    return () => element?.removeEventListener("wheel", turned);
  });
  const clicked = (event: MouseEvent) => {
    const found = placeAt(columns.current, event.offsetX, axis === "cycle" ? zoom * selection.recording.packed.issue_cycles : zoom);
    if (found >= 0) goTo(found);
  };
  return (
    <div class="strip" ref={box}>
      <canvas ref={canvas} onClick={clicked} role="img" aria-label={`lanes by ${axis}, ${name}`} />
    </div>
  );
}
