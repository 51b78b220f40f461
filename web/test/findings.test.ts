// What is said of the findings of checks.
import assert from "node:assert/strict";
import test from "node:test";
import { summary, worstFirst } from "../src/report/findings.ts";
import type { Finding } from "../src/shared/data.ts";

const finding = (kind: string, harmless: boolean): Finding =>
  ({ check: "race", kind, title: kind, harmless, kernel: "k", what: "", count: 1, accesses: [] });

test("what is harmless comes last, else the order stays", () => {
  const found = [finding("a", true), finding("b", false), finding("c", false)];
  assert.deepEqual(worstFirst(found).map((each) => each.kind), ["b", "c", "a"]);
});

test("the summary counts what was found", () => {
  assert.equal(summary({ asked: ["race", "sync"], findings: [] }), "race, sync: nothing");
  assert.equal(summary({ asked: ["init"], findings: [finding("a", false)] }), "init: 1 finding");
  assert.equal(summary({ asked: ["race"], findings: [finding("a", true), finding("b", false)] }), "race: 2 findings, 1 of them harmless");
});
