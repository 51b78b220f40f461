// What keys do; the help shows the same list.

export type Action =
  | "next" | "previous" | "page-next" | "page-previous" | "first" | "last" | "divergence" | "divergence-back" | "merge" | "merge-back"
  | "play" | "zoom-in" | "zoom-out" | "axis" | "align" | "swap" | "warp" | "block" | "all" | "svg" | "help" | "example-next" | "example-previous";

interface KeyRow {
  keys: string[]; // as KeyboardEvent.key has them
  shown: string;
  action: Action;
  help: string;
}

export const keyRows: KeyRow[] = [
  { keys: ["ArrowRight", "l"], shown: "→", action: "next", help: "the next slot" },
  { keys: ["ArrowLeft", "h"], shown: "←", action: "previous", help: "the slot before" },
  { keys: ["PageDown"], shown: "Page down", action: "page-next", help: "ten slots on" },
  { keys: ["PageUp"], shown: "Page up", action: "page-previous", help: "ten slots back" },
  { keys: ["d"], shown: "d", action: "divergence", help: "the next divergence" },
  { keys: ["D"], shown: "Shift d", action: "divergence-back", help: "the divergence before" },
  { keys: ["m"], shown: "m", action: "merge", help: "the next merge: threads that issued apart issue together" },
  { keys: ["M"], shown: "Shift m", action: "merge-back", help: "the merge before" },
  { keys: ["Home"], shown: "Home", action: "first", help: "the first slot" },
  { keys: ["End"], shown: "End", action: "last", help: "the last slot" },
  { keys: [" "], shown: "Space", action: "play", help: "play, stop" },
  { keys: ["+", "="], shown: "+", action: "zoom-in", help: "wider slots" },
  { keys: ["-"], shown: "−", action: "zoom-out", help: "narrower slots" },
  { keys: ["w"], shown: "w", action: "warp", help: "look at this warp only, or at all again" },
  { keys: ["b"], shown: "b", action: "block", help: "look at this block only, or at all again" },
  { keys: ["Escape"], shown: "Esc", action: "all", help: "look at everything" },
  { keys: ["c"], shown: "c", action: "axis", help: "strip by slots, or by cycles with gaps" },
  { keys: ["a"], shown: "a", action: "align", help: "align the second mechanism by slot, progress or cycle" },
  { keys: ["x"], shown: "x", action: "swap", help: "swap the two mechanisms" },
  { keys: ["]"], shown: "]", action: "example-next", help: "the next example" },
  { keys: ["["], shown: "[", action: "example-previous", help: "the example before" },
  { keys: ["s"], shown: "s", action: "svg", help: "this moment as an SVG file" },
  { keys: ["?"], shown: "?", action: "help", help: "these keys" },
];

const byKey = new Map(keyRows.flatMap((row) => row.keys.map((key) => [key, row.action] as const)));

// Keys that go to a field or to the browser are none of ours.
export function actionOf(event: KeyboardEvent): Action | null {
  const target = event.target as HTMLElement | null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.matches?.("input, select, textarea")) return null;
  if (event.key === " " && target?.matches?.("button, summary")) return null;
  return byKey.get(event.key) ?? null;
}
