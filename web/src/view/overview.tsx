// The whole recording on one line: how many lanes are active, where threads diverge; drag to go anywhere.
import { useLayoutEffect, useRef } from "preact/hooks";
import { inkOf, pen, useTheme, useWidth } from "./canvas.ts";
import type { Selection } from "./focus.ts";
import { diverged } from "./recording.ts";

const height = 34;

interface OverviewProps {
  name: string;
  selection: Selection;
  place: number;
  colour: string;
  goTo: (place: number) => void;
}

// The share of active lanes in each column of pixels.
export function shares(selection: Selection, columns: number): Float64Array {
  const { events, recording } = selection, sums = new Float64Array(columns), counts = new Float64Array(columns);
  for (let i = 0; i < events.length; ++i) {
    const column = Math.min(columns - 1, Math.floor((i * columns) / events.length));
    sums[column]! += recording.active[events[i]!]! / recording.width;
    ++counts[column]!;
  }
  // Fewer events than pixels: an event is as wide as it takes.
  for (let column = 0, last = 0; column < columns; ++column) last = sums[column] = counts[column]! > 0 ? sums[column]! / counts[column]! : last;
  return sums;
}

export function Overview({ name, selection, place, colour, goTo }: OverviewProps) {
  const { box, width } = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null), drawn = useRef<ImageData | null>(null), theme = useTheme();
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return;
    const context = pen(canvas.current, width, height), ink = inkOf(canvas.current);
    context.fillStyle = ink.idle;
    context.fillRect(0, 0, width, height);
    context.fillStyle = inkOfName(canvas.current, colour);
    shares(selection, width).forEach((share, x) => context.fillRect(x, height * (1 - share), 1, height * share));
    context.fillStyle = ink.diverge;
    for (const at of selection.marked(diverged)) context.fillRect((at / selection.length) * width, 0, 1, 4);
    drawn.current = context.getImageData(0, 0, canvas.current.width, canvas.current.height);
  }, [selection, width, theme, colour]);
  useLayoutEffect(() => {
    if (!canvas.current || !drawn.current || width === 0) return;
    const context = canvas.current.getContext("2d")!, ink = inkOf(canvas.current);
    context.putImageData(drawn.current, 0, 0);
    context.fillStyle = ink.ink;
    context.fillRect(((place + 0.5) / Math.max(1, selection.length)) * width - 1, 0, 2, height);
    context.fillStyle = ink.paper;
    context.fillRect(((place + 0.5) / Math.max(1, selection.length)) * width - 2, 0, 1, height);
  }, [selection, width, theme, place, colour]);
  const moved = (event: PointerEvent) => {
    if (event.buttons === 0 && event.type !== "pointerdown") return;
    (event.target as Element).setPointerCapture(event.pointerId);
    goTo(Math.floor((event.offsetX / width) * selection.length));
  };
  return (
    <div class="overview" ref={box}>
      <canvas ref={canvas} onPointerDown={moved} onPointerMove={moved} role="slider" aria-label={`moment of ${name}`}
        aria-valuemin={0} aria-valuemax={Math.max(0, selection.length - 1)} aria-valuenow={place} />
    </div>
  );
}

const inkOfName = (element: Element, name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim();
