// The page of heddle sweep in a real browser.
//   node sweep.mjs PLAYWRIGHT CHROMIUM PAGE SWEEP.json
import assert from "node:assert/strict";
import { everyChartIsDrawn, everyFigureIsWhole, finish, fitsAPhone, json, near, nothingLeaves, open, test } from "./browser.mjs";

const [pagePath, sweepPath] = process.argv.slice(4);
const { head_to_head: ranks } = json(sweepPath);
const { page, seen, close } = await open(pagePath, { viewport: { width: 1100, height: 900 } });

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

await test("curves come first", async () => {
  assert.match(await page.$eval("figure", (figure) => figure.id), /^curve-warp_size/);
});

await test("one table ranks the points, as the JSON does", async () => {
  assert.equal(await page.$$eval(".standings", (all) => all.length), 1);
  const rows = await page.$$eval(".standings tbody tr", (all) => all.map((row) => [row.cells[0].textContent, Number(row.cells[3].dataset.value)]));
  assert.deepEqual(rows.map(([name]) => name), ranks.mechanisms.map((each) => each.name));
  rows.forEach(([, speed], i) => near(speed, ranks.mechanisms[i].ipc_all));
});

await test("the answer is the best point", async () => {
  const best = ranks.mechanisms.reduce((a, b) => (b.ipc_all > a.ipc_all ? b : a));
  assert.ok((await page.textContent("h1")).startsWith(`${best.name} is `));
});

await test("every chart is drawn, and every figure is whole", async () => {
  await everyChartIsDrawn(page);
  await everyFigureIsWhole(page);
});
await close();

await test("a phone shows all of it without scrolling sideways", () => fitsAPhone(pagePath));

await finish("a sweep");
