// Reading, numbers and words that all pages share.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Option } from "../src/shared/data.ts";
import { readResults } from "../src/shared/data.ts";
import { change, grouped, orDash, percent, times } from "../src/shared/format.ts";
import { titleOf, wordsOf } from "../src/shared/machine.ts";
import { harmonicMean, mean } from "../src/shared/numbers.ts";

const options: Option[] = [["--size", "small"], ["--preset", "p"], ["--compiler", "clang"], ["--set", "cores=8"], ["--lanes", "balanced"], ["--emulate", ""]];

test("runs find the configuration of their machine", () => {
  const data = { schema: "heddle-page-1", machines: [{ a: 1 }, { a: 2 }], runs: [{ config: 1 }], profiles: [{ config: 0 }] };
  const results = readResults(JSON.stringify(data));
  assert.equal(results.runs[0].config.a, 2);
  assert.equal(results.profiles[0].config.a, 1);
});

test("a page of another version is refused with both names", () => {
  assert.throws(() => readResults('{"schema": "heddle-page-9"}'), /reads heddle-page-1, not heddle-page-9/);
});

test("options become the words of a command, and a heading", () => {
  assert.equal(wordsOf(options), "--size small --preset p --compiler clang --set cores=8 --lanes balanced --emulate");
  assert.equal(titleOf(options), "p, small, compiler clang, cores=8, lanes balanced, emulate");
});

test("numbers are shown as on the terminal", () => {
  assert.equal(change(1.22), "+22.0 %");
  assert.equal(change(0.97), "-3.0 %");
  assert.equal(percent(0.5), "50.0 %");
  assert.equal(times(1.5), "1.50 x");
  assert.equal(grouped(1234567.4), "1,234,567");
  assert.equal(orDash(null, percent), "–");
});

test("means of nothing are nothing", () => {
  assert.equal(mean([]), null);
  assert.equal(harmonicMean([]), null);
  assert.equal(mean([1, 2, 6]), 3);
  assert.equal(harmonicMean([1, 3]), 1.5);
});
