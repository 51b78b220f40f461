// The page of heddle profile in a real browser: the source, line by line, against the JSON.
//   node profile.mjs PLAYWRIGHT CHROMIUM PAGE PROFILE.json TIMED_PAGE TIMED.json HOSTILE_PAGE HOSTILE_TEXT
// The first is of a run without a clock; the second, at cycle level, has two kernels and other mechanisms beside it.
import assert from "node:assert/strict";
import { finish, fitsAPhone, json, near, nothingLeaves, open, staysText, test } from "./browser.mjs";

const [pagePath, profilePath, timedPath, timedJson, hostilePath, hostileText] = process.argv.slice(4);
const profile = json(profilePath), timed = json(timedJson);
const { page, seen, close } = await open(pagePath);
const grouped = (number) => Math.round(number).toLocaleString("en-US");
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

// Executed lines: { column: text }, by the number of the line.
const linesOf = (page) => page.$$eval("table.source:not(.branches) tr[id]", (all) => {
  const names = [...all[0].closest("table").tHead.rows[0].cells].map((cell) => cell.textContent);
  return Object.fromEntries(all.map((row) => [row.cells[0].textContent, Object.fromEntries(names.map((name, i) => [name, row.cells[i].textContent]))]));
});
const lost = (line) => percent(line.lanes_lost, profile.cost.lanes_lost);

await test("every line that was executed has the JSON's figures beside its source", async () => {
  const rows = await linesOf(page);
  assert.equal(Object.keys(rows).length, profile.lines.length);
  for (const line of profile.lines)
    assert.deepEqual(rows[line.line], {
      line: String(line.line), "share lost": lost(line), source: line.text, "threads per slot": (line.active_threads / line.issue_slots).toFixed(1),
      diverged: line.branches > 0 ? percent(line.diverged, line.branches) : "", kind: line.kind ?? "", "lanes lost": grouped(line.lanes_lost),
      "issue slots": grouped(line.issue_slots), "slots lost": grouped(line.slots_lost),
    });
});

await test("the page begins with the answer", async () => {
  assert.equal(await page.textContent("h1"), "Why is bfs slow?");
  assert.equal(await page.textContent("header .answer"), `${profile.answer.sentence}.`);
  assert.ok((await page.textContent(".why")).includes(profile.answer.advice));
  const target = await page.getAttribute(".why a", "href");
  assert.equal(Number(await page.$eval(`${target} th`, (cell) => cell.textContent)), profile.answer.line);
});

await test("a click on a heading sorts the lines, and a third one brings the source back", async () => {
  const order = () => page.$$eval("table.source:not(.branches) tbody tr", (all) => all.map((row) => row.cells[0].textContent));
  const before = await order(), heading = page.locator("table.source:not(.branches) th", { hasText: "issue slots" });
  await heading.click();
  const most = profile.lines.toSorted((a, b) => b.issue_slots - a.issue_slots)[0];
  assert.equal(Number((await order())[0]), most.line);
  await heading.click();
  await heading.click();
  assert.deepEqual(await order(), before);
});

await test("source is in colours and does not wrap", async () => {
  assert.ok((await page.$$(".source .code .t-keyword")).length > 3);
  assert.equal(await page.$eval(".source td.code", (cell) => getComputedStyle(cell).whiteSpace), "pre");
});

await test("branches have the JSON's figures, the worst first, and lead to their line", async () => {
  const rows = await page.$$eval(".branches tbody tr", (all) => all.map((row) => ({
    cells: [...row.cells].map((cell) => cell.textContent),
    lost: Number(row.cells[6].dataset.value),
    target: row.querySelector("a") && document.querySelector(row.querySelector("a").getAttribute("href"))?.cells[0].textContent,
  })));
  assert.equal(rows.length, profile.branches.length + 1);
  for (const [i, branch] of profile.branches.entries()) {
    near(rows[i].lost, branch.lanes_lost);
    assert.equal(Number(rows[i].target), branch.line);
    assert.ok(i === 0 || rows[i].lost <= rows[i - 1].lost);
    const { text } = profile.lines.find((line) => line.file === branch.file && line.line === branch.line);
    assert.deepEqual(rows[i].cells.slice(1), [
      percent(branch.lanes_lost, profile.cost.lanes_lost), text.trim(), grouped(branch.executed),
      percent(branch.diverged, branch.executed), branch.kind ?? "", grouped(branch.lanes_lost), grouped(branch.slots_lost),
      branch.instruction]);
  }
  assert.equal(rows.at(-1).cells[6], grouped(profile.cost.lanes_lost_by_no_branch));
});

await test("the command makes it again", async () => {
  const command = await page.$eval(".command code", (code) => code.textContent);
  for (const words of [/^heddle profile bfs /, / --mechanism pdom /, / --size tiny /, / --emulate /, / --taint$/]) assert.match(command, words);
});
await close();

await test("at cycle level the bar has all cycles, lines their waits, kernels their own answer", async () => {
  const { page, seen, close } = await open(timedPath);
  nothingLeaves(timedPath, seen);
  const label = await page.getAttribute(".causes", "aria-label");
  near(label.split(/, (?=[0-9.]+ %)/).reduce((sum, part) => sum + parseFloat(part), 0) / 100, 1, 0.005);
  const kernels = await page.$$eval(".kernels tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(kernels.map((cells) => [cells[0], cells[2]]), timed.kernels.map(({ name, answer }) => [name, answer.sentence]));
  const rows = await linesOf(page);
  for (const line of timed.lines) {
    const row = rows[line.line], { time } = line;
    assert.equal(row["share of cycles"], percent(time.cycles, timed.time.core_cycles));
    assert.equal(row.cycles, grouped(time.cycles));
    assert.equal(row.wait, grouped(Object.values(time.waited).reduce((sum, each) => sum + each, 0)));
    assert.equal(row["lines per access"], time.accesses > 0 ? (time.lines / time.accesses).toFixed(1) : "");
  }
  await close();
});

await test("what other mechanisms give back stands branch by branch", async () => {
  const { page, close } = await open(timedPath);
  const rows = await page.$$eval(".whatif tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => Number(cell.dataset.value))));
  assert.equal(rows.length, timed.branches.length + 1);
  const [tbc] = timed.what_if;
  timed.branches.forEach((_, i) => {
    near(rows[i][1], tbc.branches[i].slots);
    near(rows[i][2], tbc.branches[i].cycles);
  });
  near(rows.at(-1)[1], tbc.saved.slots);
  await close();
});

await test("a phone shows it without scrolling sideways", async () => {
  await fitsAPhone(pagePath);
  await fitsAPhone(timedPath);
});

await test("names and sources are text, whatever they are", async () => {
  const { page, close } = await staysText(hostilePath, hostileText);
  assert.ok((await page.$$eval(".source .code", (all) => all.map((cell) => cell.textContent))).includes(hostileText));
  assert.ok((await page.textContent(".failures")).includes(hostileText), "why a mechanism has nothing to say");
  await close();
});

await finish("a profile");
