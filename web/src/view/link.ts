// A moment as the end of an address: #a=tbc&b=pdom&launch=0&slot=12&…
import type { Alignment } from "./align.ts";
import { everything, type Focus, parts } from "./focus.ts";

export interface Moment {
  example: string | null;
  a: string | null; // mechanisms
  b: string | null; // "": none
  launch: number;
  slot: number | null; // null: the first divergence
  align: Alignment | null;
  axis: "slot" | "cycle" | null;
  focus: Focus;
}

const numberOr = <Other>(text: string | null, other: Other) => (text !== null && /^\d+$/.test(text) ? Number(text) : other);
const oneOf = <Name extends string>(text: string | null, names: readonly Name[]) => names.find((name) => name === text) ?? null;

export function readLink(hash: string): Moment {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const focus: Focus = { ...everything };
  for (const part of parts) focus[part] = numberOr(words.get(`only-${part}`), null);
  return {
    example: words.get("example"), a: words.get("a"), b: words.get("b"),
    launch: numberOr(words.get("launch"), 0), slot: numberOr(words.get("slot"), null),
    align: oneOf(words.get("align"), ["slot", "progress", "cycle"] as const),
    axis: oneOf(words.get("axis"), ["slot", "cycle"] as const),
    focus,
  };
}

export function linkTo(moment: Moment): string {
  const words = new URLSearchParams();
  for (const name of ["example", "a", "b"] as const) if (moment[name] !== null) words.set(name, moment[name]);
  if (moment.launch > 0) words.set("launch", String(moment.launch));
  if (moment.slot !== null) words.set("slot", String(moment.slot));
  if (moment.align !== null) words.set("align", moment.align);
  if (moment.axis !== null) words.set("axis", moment.axis);
  for (const part of parts) if (moment.focus[part] !== null) words.set(`only-${part}`, String(moment.focus[part]));
  return `#${words}`;
}
