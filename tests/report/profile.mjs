// The page of heddle profile in a real browser: the source, line by line, against the JSON.
//   node profile.mjs PLAYWRIGHT CHROMIUM PAGE PROFILE.json HOSTILE_PAGE HOSTILE_TEXT
import assert from "node:assert/strict";
import { finish, fitsAPhone, json, near, nothingLeaves, open, staysText, test } from "./browser.mjs";

const [pagePath, profilePath, hostilePath, hostileText] = process.argv.slice(4);
const profile = json(profilePath);
const { page, seen, close } = await open(pagePath);
const grouped = (number) => Math.round(number).toLocaleString("en-US");
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

await test("every line that was executed has the JSON's figures beside its source", async () => {
  const rows = await page.$$eval("table.source:not(.branches) tr[id]", (all) =>
    all.map((row) => ({ cells: [...row.cells].map((cell) => cell.textContent), lost: Number(row.querySelector("[data-value]").dataset.value) })));
  assert.equal(rows.length, profile.lines.length);
  for (const line of profile.lines) {
    const row = rows.find(({ cells }) => Number(cells[0]) === line.line);
    near(row.lost, line.lanes_lost);
    assert.deepEqual(row.cells.slice(1), [
      percent(line.lanes_lost, profile.cost.lanes_lost), line.text, (line.active_threads / line.issue_slots).toFixed(1),
      line.branches > 0 ? percent(line.diverged, line.branches) : "", line.kind ?? "", grouped(line.lanes_lost),
      grouped(line.issue_slots), grouped(line.slots_lost)]);
  }
  near(rows.reduce((sum, row) => sum + row.lost, 0), profile.cost.lanes_lost);
});

await test("branches have the JSON's figures, the worst first, and lead to their line", async () => {
  const rows = await page.$$eval(".branches tbody tr", (all) => all.map((row) => ({
    cells: [...row.cells].map((cell) => cell.textContent),
    lost: Number(row.querySelector("[data-value]")?.dataset.value),
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

await test("a phone shows it without scrolling sideways", () => fitsAPhone(pagePath));

await test("names and sources are text, whatever they are", async () => {
  const { page, close } = await staysText(hostilePath, hostileText);
  assert.ok((await page.$$eval(".source .code", (all) => all.map((cell) => cell.textContent))).includes(hostileText));
  await close();
});

await finish("a profile");
