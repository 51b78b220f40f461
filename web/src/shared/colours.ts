// Colours are names of the theme. A mechanism has its own by its name, so that it keeps it on every page, whatever
// stands beside it and whatever is added to the registry.
import { h } from "./dom.ts";

const ofMechanism: Record<string, string> = {
  "pdom": "m0", "tesla": "m1", "tbc": "m2", "tbc+": "m3", "tbc-ideal": "m4", "capri": "m5", "dwf": "m6", "dwf-wb": "m14",
  "lwm": "m7", "its": "m11", "subwarp-interleaving": "m12", "stackless": "m10", "dws": "m9", "dual-path": "m13",
  "multi-path": "m8", "aware": "m15", "implicit-stack": "m16", "lorie-strong": "m17", "thread-frontiers": "m20",
  "takahashi": "m21", "chap": "m22", "sbi": "m23", "swi": "m24", "sbi+swi": "m25", "amd": "m26", "pomp": "m27", "gma": "m28",
  "sandy-bridge": "m29", "vws": "m30", "mimd": "m18",
};
const all = 32; // in theme.css

// Of a name that is not in the table: one that depends on nothing but the name.
function byLetters(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (31 * hash + (letter.codePointAt(0) ?? 0)) % 65521;
  return `m${hash % all}`;
}

// "capri, balanced" and "capri, warp_size=8" are capri.
export function mechanismColour(name: string): string {
  const [mechanism] = name.split(", ");
  return ofMechanism[mechanism] ?? byLetters(mechanism);
}

const ofCycles: Record<string, string> = { Stall: "stall", W0_Mem: "mem", W0_Idle: "idle", W0_Phantom: "phantom" };

// Of a class of cycles: those of issued slots go from few active threads to many.
export const classColour = (name: string, place: number) => ofCycles[name] ?? `w${(place % 8) + 1}`;

export const css = (colour: string) => `var(--${colour})`;

// A square of that colour, before a name.
export const key = (colour: string) => h("span", { class: "key", style: `background: ${css(colour)}` });
