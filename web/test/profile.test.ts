// The parts of a profile's page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mainCause, waited } from "../src/profile/columns.ts";
import { pieces } from "../src/profile/highlight.ts";
import { savedText } from "../src/profile/what_if.ts";
import { partsOf } from "../src/profile/where_cycles_go.ts";
import type { Profile, Time } from "../src/shared/data.ts";

const time: Time = {
  cycles: 100, issue_cycles: 30, waited: { result: 20, memory: 50 }, accesses: 2, lines: 64, sectors: 64, hits: 0, shared_accesses: 0,
  bank_passes: 0, stride: 128, stride_share: 1,
};

test("what a line waited for is what most of its cycles waited for", () => {
  assert.equal(waited(time), 70);
  assert.equal(mainCause(time), "memory");
  assert.equal(mainCause({ ...time, waited: {} }), "");
});

test("all cycles of the cores are in the bar, issue first, then the largest", () => {
  const profile = { time: { ...time, core_cycles: 160, charged_to_no_line: { "no block": 60, result: 5 } } } as unknown as Profile;
  const parts = partsOf(profile);
  assert.deepEqual(parts.map(({ name, cycles }) => [name, cycles]), [["issue", 25], ["no block", 60], ["memory", 50], ["result", 25]]);
  assert.equal(parts.reduce((sum, { cycles }) => sum + cycles, 0), 160);
  assert.deepEqual(partsOf({ time: null } as unknown as Profile), []);
});

test("what is saved has its sign", () => {
  assert.equal(savedText(10, 100), "+10.0 %");
  assert.equal(savedText(-1, 100), "-1.0 %");
  assert.equal(savedText(0, 0), "+0.0 %");
});

const kinds = (line: string, ptx = false) => pieces(line, ptx, false).pieces.filter(([kind]) => kind !== "");

test("CUDA in colours", () => {
  assert.deepEqual(kinds("  if (x < 0x1f) return threadIdx.x; // why"), [
    ["keyword", "if"], ["number", "0x1f"], ["keyword", "return"], ["special", "threadIdx"], ["comment", "// why"]]);
  assert.deepEqual(kinds("#include <cstdio>"), [["keyword", "#include"]]);
  assert.deepEqual(kinds('printf("a // b", 1.5f);'), [["string", '"a // b"'], ["number", "1.5f"]]);
});

test("PTX in colours", () => {
  assert.deepEqual(kinds("  @%p1 bra DONE;", true), [["keyword", "  @%p1 bra"]]);
  assert.deepEqual(kinds("ld.global.u32 %r1, [%rd2+16];", true), [
    ["keyword", "ld.global.u32"], ["special", "%r1"], ["special", "%rd2"], ["number", "16"]]);
});

test("a comment may go on over lines, and no text is lost", () => {
  const first = pieces("int a; /* one", false, false);
  assert.equal(first.open, true);
  const second = pieces("two */ int b;", false, first.open);
  assert.equal(second.open, false);
  assert.deepEqual(second.pieces[0], ["comment", "two */"]);
  for (const line of ["", "/* a */ x /* b */", "'\\''; \"", "a /* b", "%%%", "🙂 // é"])
    for (const ptx of [false, true]) assert.equal(pieces(line, ptx, false).pieces.map(([, text]) => text).join(""), line);
});
