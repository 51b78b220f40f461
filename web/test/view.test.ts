import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned } from "../src/view/align.ts";
import { caretsAt, setOf } from "../src/view/carets.ts";
import { Clockwork, stacked } from "../src/view/clockwork.ts";
import { lastAtMost, unpack } from "../src/view/column.ts";
import type { PackedRecording } from "../src/view/data.ts";
import { everything, Selection } from "../src/view/focus.ts";
import { actionOf, keyRows } from "../src/view/keys.ts";
import { runsOf } from "../src/view/lane_set.tsx";
import { linkTo, readLink } from "../src/view/link.ts";
import { hueColour, Paths } from "../src/view/paths.ts";
import { diverged, merged, Recording } from "../src/view/recording.ts";
import { columnsIn, placeAt } from "../src/view/strip_layout.ts";
import { partsOf } from "../src/view/state_shape.ts";
import { svgOf } from "../src/view/svg.ts";

// As heddle packs a column (docs/json.md): written here anew, from the description.
function packed(numbers: number[]): string {
  const bytes: number[] = [];
  let before = 0n;
  for (const number of numbers.map(BigInt)) {
    const step = number - before;
    let rest = step >= 0n ? 2n * step : -2n * step - 1n;
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    before = number;
  }
  return Buffer.from(bytes).toString("base64");
}

// The if with an else of the gallery under pdom: A by all four, C by three, B by one, D by all.
const lanesOfIf = [[1, 2, 3, 4], [0, 2, 3, 4], [1, 0, 0, 0]];
const recorded: PackedRecording = {
  mechanism: "pdom", command: "heddle run", outcome: "ran", error: null, warp_size: 4, timed: true, issue_cycles: 1, slots: 6, launches_beside: 0, count: 6,
  launches: [{ kernel: 0, grid: [1, 1, 1], block: [4, 1, 1], slots: 6 }],
  events: {
    launch: [0, 0, 6], slot: [0, 1, 6], cycle: packed([1, 2, 3, 40, 41, 45]), core: [0, 0, 6], block: [0, 0, 6], warp: [0, 0, 6],
    pc: packed([0, 3, 4, 1, 2, 5]), lanes: packed([0, 1, 1, 2, 2, 0]), flags: packed([2, 0, 0, 0, 0, 4]),
  },
  waits: { count: 2, causes: ["memory", "a result"], launch: [0, 0, 2], core: [0, 0, 2], from: packed([4, 42]), cycles: packed([36, 3]), cause: packed([0, 1]), pc: packed([4, 0]) },
  flights: { count: 1, launch: [0, 0, 1], core: [0, 0, 1], warp: [0, 0, 1], pc: [3, 0, 1], issued: [2, 0, 1], done: [39, 0, 1], missed: [1, 0, 1] },
  lanes: { count: 3, threads: packed(lanesOfIf.flat()), phantom: [0, 0, 3] },
  changes: { count: 4, event: packed([0, 1, 3, 5]), place: [0, 0, 4], row: packed([1, 2, 3, 1]) },
  sets: ["f", "e", "1"],
  shapes: [["", ["pc", "code"], ["rpc", "code"], ["mask", "threads"]], ["", ["next", "code"], ["rpc", "code"], ["mask", "threads"]]],
  entries: [[0, 0, -1, 0], [0, 3, 5, 1], [1, 1, 5, 2], [1, 5, -1, 0], [0, 1, 5, 2]],
  rows: [["warp", 0, 0], ["warp", 0, 1, 2, 3], ["warp", 0, 4, 3]],
};
const recording = new Recording(recorded), all = new Selection(recording, everything);
const kernel = { name: "k", file: "k.ptx", code: ["@p bra C", "add", "bra D", "add", "add", "ret"], source: [], line: [], blocks: [[0, "A"], [1, "B"], [3, "C"], [5, "D"]] as [number, string][], functions: [] };

test("columns unpack to what was packed", () => {
  const numbers = [0, 5, 5, 4, 300, 2 ** 40, 7, 2 ** 45];
  assert.deepEqual([...unpack(packed(numbers), numbers.length)], numbers);
  assert.deepEqual([...unpack([3, 2, 4], 4)], [3, 5, 7, 9]);
  assert.deepEqual([...unpack([3, -1, 3], 3)], [3, 2, 1]);
});

test("the last number at most a limit", () => {
  assert.deepEqual([0, 1, 2, 5, 9].map((limit) => lastAtMost([1, 2, 5], limit)), [-1, 0, 1, 2, 2]);
  assert.equal(lastAtMost([], 1), -1);
});

test("threads stand in their lanes, and progress counts them", () => {
  assert.deepEqual(recording.threadsOf(1), [-1, 1, 2, 3]);
  assert.equal(recording.phantom(1), null);
  assert.equal(new Recording({ ...recorded, lanes: { ...recorded.lanes, phantom: [1, 0, 3] } }).phantom(1), 0, "nobody at all");
  assert.deepEqual([...recording.active], [4, 3, 3, 1, 1, 4]);
  assert.deepEqual([...recording.progress], [4, 7, 10, 11, 12, 16]);
});

test("the state of any event is what the changes up to it have made", () => {
  const text = (event: number) => recording.stateAt(event).map((row) => row.entries.map((entry) => entry.fields.map((field) => field.value).join(" ")).join(" | "));
  assert.deepEqual(text(0), ["0 -1 f"]);
  assert.deepEqual(text(2), ["3 5 e | 1 5 1 | 5 -1 f"]);
  assert.deepEqual(text(4), ["1 5 1 | 5 -1 f"]);
  assert.deepEqual(text(5), text(0));
  assert.deepEqual(text(1), text(2), "backwards too");
});

test("moves by divergence and merge stop at the ends", () => {
  assert.equal(all.next(-1, diverged), 0);
  assert.equal(all.next(0, diverged), 0);
  assert.equal(all.next(0, merged), 5);
  assert.equal(all.previous(5, diverged), 0);
  assert.equal(all.previous(5, merged), 5);
});

test("a focus keeps what it names", () => {
  assert.equal(new Selection(recording, { ...everything, warp: 0 }).length, 6);
  assert.equal(new Selection(recording, { ...everything, warp: 1 }).length, 0);
  assert.equal(all.placeOfSlot(0, 4), 4);
  assert.equal(all.placeOfSlot(0, 99), 5);
});

test("two mechanisms are aligned by slot, progress and cycle", () => {
  const slower = new Recording({ ...recorded, events: { ...recorded.events, cycle: packed([1, 3, 5, 80, 82, 90]), lanes: packed([2, 2, 1, 1, 0, 0]) } });
  const other = new Selection(slower, everything);
  assert.equal(aligned(all, 3, other, "slot"), 3);
  assert.equal(aligned(all, 1, other, "cycle"), 1, "cycle 2: the first not before it");
  assert.equal(aligned(all, 1, other, "progress"), 3, "7 done: 1, 2, 5, 8");
  assert.equal(aligned(all, 5, new Selection(slower, { ...everything, warp: 9 }), "slot"), 0, "nothing there");
});

test("links name a moment, and what they do not know is left out", () => {
  const moment = { example: "x y", a: "tbc+", b: "", launch: 1, slot: 7, align: "progress" as const, axis: "cycle" as const, focus: { ...everything, block: 3 } };
  assert.deepEqual(readLink(linkTo(moment)), moment);
  const wrong = readLink("#slot=-1&align=upwards&only-warp=x");
  assert.deepEqual([wrong.slot, wrong.align, wrong.focus.warp], [null, null, null]);
});

test("carets stand where the stack says", () => {
  assert.deepEqual(caretsAt(recording, 1).map(({ pc, kind, set }) => [pc, kind, set]), [[3, "now", "e"], [1, "waits", "1"], [5, "waits", "f"]]);
  assert.equal(setOf([0, 5, -1, 6], 4), "1.6");
});

test("stacks are stacks, tables have a column for each field, and a depth of 0 is not told", () => {
  const [stack] = partsOf(recording.stateAt(1)[0]!);
  assert.equal(stack!.form, "stack");
  assert.equal(stack!.entries.length, 3);
  const field = (name: string, kind: "number" | "code" | "threads", value: number | string) => ({ name, kind, value });
  const parts = partsOf({ what: "static warp", number: 0, entries: [
    { word: "runs", fields: [field("pc", "code", 1), field("depth", "number", 0), field("mask", "threads", "1")] },
    { word: "waits", fields: [field("next", "code", 2), field("depth", "number", 0), field("mask", "threads", "e")] },
    { word: "barrier", fields: [field("pc", "code", 5), field("mask", "threads", "f"), field("arrived", "threads", "0")] },
  ] });
  assert.deepEqual(parts.map((part) => [part.form, part.columns.join(" "), part.entries.length]), [["table", "pc mask", 2], ["table", "pc mask arrived", 1]]);
});

test("lanes that are neighbours are one bar", () => {
  assert.deepEqual(runsOf([0b0110, 0b1], 4), [{ row: 0, from: 1, lanes: 2 }, { row: 1, from: 0, lanes: 1 }]);
  assert.deepEqual(runsOf([0xffffffff], 32), [{ row: 0, from: 0, lanes: 32 }]);
});

test("by cycles the strip has gaps, and says what was waited for", () => {
  assert.deepEqual(columnsIn(all, "slot", 1, 3, 10, 1).map(({ place, x }) => [place, x]), [[1, 0], [2, 10]]);
  const columns = columnsIn(all, "cycle", 0, 42, 2, 3);
  assert.deepEqual(columns.map(({ place, x }) => [place, x]).sort((a, b) => a[0]! - b[0]!), [[0, 2], [1, 4], [2, 6], [3, 80], [4, 82]]);
  assert.equal(placeAt(columns, 81, 2), 3);
  assert.equal(placeAt(columns, 40, 2), -1, "a gap");
  const clockwork = new Clockwork(recorded);
  assert.deepEqual(clockwork.waitsBefore(0, 0, 40), [{ from: 4, cycles: 36, cause: 0, pc: 3 }]);
  assert.deepEqual(clockwork.waitsBefore(0, 0, 41), []);
  assert.equal(clockwork.waitsIn(0, 0, 10, 20).length, 1);
  assert.equal(clockwork.flightsIn(0, 0, 30, 35).length, 1);
  assert.equal(clockwork.flightsIn(0, 0, 40, 50).length, 0);
});

test("flights that overlap are drawn below each other", () => {
  const flight = (issued: number, done: number) => ({ warp: 0, pc: 0, issued, done, missed: true });
  assert.deepEqual(stacked([flight(0, 10), flight(5, 8), flight(10, 12), flight(6, 7)], 2).map(({ row }) => row), [0, 1, 0]);
});

test("a path has the colour of its block, as every program reads it", () => {
  const paths = new Paths(kernel);
  assert.equal(paths.colour(3), paths.colour(4));
  assert.notEqual(paths.colour(2), paths.colour(3));
  assert.equal(new Set([0, 1, 3, 5].map((pc) => paths.colour(pc))).size, 4);
  assert.match(hueColour(29, 0.6), /^#[0-9a-f]{6}$/);
});

test("the picture of a moment holds the state, and text stays text", () => {
  const svg = svgOf("<b>", [{ name: "a&b", selection: all, place: 1, paths: [new Paths(kernel)] }]);
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.ok(svg.includes("&lt;b&gt;") && svg.includes("a&amp;b") && !svg.includes("<b>"));
  assert.ok(svg.includes("warp 0") && svg.includes("rpc"));
  assert.ok(!/NaN|undefined/.test(svg));
});

test("every key does one thing, and fields keep theirs", () => {
  const keys = keyRows.flatMap((row) => row.keys);
  assert.equal(new Set(keys).size, keys.length);
  const pressed = (key: string, more = {}) => actionOf({ key, target: { matches: () => false }, ...more } as unknown as KeyboardEvent);
  assert.equal(pressed("ArrowRight"), "next");
  assert.equal(pressed("ArrowRight", { ctrlKey: true }), null);
  assert.equal(pressed("d", { target: { matches: (what: string) => what.includes("select") } }), null);
});
