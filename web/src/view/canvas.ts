// Canvases that are as sharp as the screen, and the colours of the theme for them.
import { useEffect, useRef, useState } from "preact/hooks";

export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

// Changes when the theme does.
export function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setTheme((number) => number + 1);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return theme;
}

export interface Ink {
  idle: string;
  line: string;
  ink: string;
  soft: string;
  paper: string;
  diverge: string;
  merge: string;
  waits: string[]; // by cause
}

export function inkOf(element: Element): Ink {
  const style = getComputedStyle(element), colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    idle: colour("idle-lane"), line: colour("line"), ink: colour("ink"), soft: colour("soft"), paper: colour("paper"),
    diverge: colour("diverge"), merge: colour("merge"),
    waits: Array.from({ length: 9 }, (_, cause) => colour(`wait${cause}`)),
  };
}

export function pen(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  return context;
}
