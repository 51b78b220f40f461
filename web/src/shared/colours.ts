// Colours are names of the theme. The same mechanism has the same one everywhere.
import { h } from "./dom.ts";

const ofMechanisms = 32; // in theme.css

// What is not in the registry comes after it.
export function mechanismColour(registry: string[], mechanism: string): string {
  const place = registry.indexOf(mechanism);
  return `m${(place < 0 ? registry.length : place) % ofMechanisms}`;
}

const ofCycles: Record<string, string> = { Stall: "stall", W0_Mem: "mem", W0_Idle: "idle", W0_Phantom: "phantom" };

// Of a class of cycles: those of issued slots go from few active threads to many.
export const classColour = (name: string, place: number) => ofCycles[name] ?? `w${(place % 8) + 1}`;

export const css = (colour: string) => `var(--${colour})`;

// A square of that colour, before a name.
export const key = (colour: string) => h("span", { class: "key", style: `background: ${css(colour)}` });
