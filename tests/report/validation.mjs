// The page of heddle validate in a real browser: every figure of the hardware beside heddle's.
//   node validation.mjs PLAYWRIGHT CHROMIUM PAGE VALIDATION.json HOSTILE_PAGE HOSTILE_TEXT
import assert from "node:assert/strict";
import { everyChartIsDrawn, everyFigureIsWhole, finish, fitsAPhone, json, near, nothingLeaves, open, staysText, table, test } from "./browser.mjs";

const [pagePath, jsonPath, hostilePath, hostileText] = process.argv.slice(4);
const validation = json(jsonPath);
const good = validation.kernels.filter((each) => !each.failure);
const { page, seen, close } = await open(pagePath, { viewport: { width: 1100, height: 900 } });
const percent = (value) => `${(100 * value).toFixed(1)} %`;

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

await test("the answer is the title and the first sentence", async () => {
  const { cycles } = validation.agreement;
  assert.equal(await page.textContent("h1"), `Cycles of kernels are ${percent(cycles.mean_absolute_error)} from those of A GPU`);
  const sentence = await page.textContent(".answer");
  const off = (each) => Math.max(each.measures.cycles.simulated / each.measures.cycles.hardware, each.measures.cycles.hardware / each.measures.cycles.simulated);
  const worst = good.reduce((a, b) => (off(b) > off(a) ? b : a));
  near(off(worst), cycles.worst_factor);
  assert.ok(sentence.includes(`${worst.kernel} of ${worst.workload}, is off by ${cycles.worst_factor.toFixed(2)} x`), sentence);
  assert.ok(sentence.includes(`rank correlation ${cycles.spearman.toFixed(3)}`), sentence);
  assert.match(sentence, /[0-2] of 2 microbenchmarks within 5 %/);
});

await test("how well it agrees is the JSON's", async () => {
  const rows = await page.$$eval(".agreement tbody tr", (all) => all.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.dataset.value))));
  assert.deepEqual(rows, Object.values(validation.agreement).map((each) => [each.count, each.mean_absolute_error, each.spearman, each.worst_factor]));
});

await test("every point is a kernel: hardware across, heddle upwards", async () => {
  for (const measure of ["cycles", "instructions", "l1_sectors", "l2_sectors"]) {
    const counted = good.filter((each) => each.measures[measure]?.hardware > 0 && each.measures[measure].simulated > 0);
    const points = await page.$$eval(`#beside-${measure.replace("_", "-")} .chart svg [aria-label=dot] circle`, (all) =>
      all.map((circle) => ({ label: circle.getAttribute("aria-label"), x: Number(circle.getAttribute("cx")), y: Number(circle.getAttribute("cy")) })));
    assert.equal(points.length, counted.length, measure);
    const figures = counted.map((each) => ({ each, ...each.measures[measure] }));
    const point = ({ each }) => points.find(({ label }) => label.startsWith(`${each.workload}, ${each.kernel}:`));
    for (const a of figures)
      for (const b of figures) {
        if (a.hardware < b.hardware) assert.ok(point(a).x < point(b).x, measure);
        if (a.simulated < b.simulated) assert.ok(point(a).y > point(b).y, measure);
      }
  }
});

await test("SIMD efficiency is threads per instruction of 32", async () => {
  const rows = await table(page, "beside-efficiency");
  const counted = good.filter((each) => each.measures.instructions && each.measures.thread_instructions);
  assert.equal(Object.keys(rows).length, counted.length);
  for (const { workload, kernel, measures: { instructions, thread_instructions: threads } } of counted) {
    const [, row] = Object.entries(rows).find(([name]) => name.startsWith(`${workload}/${kernel}/`));
    near(row.heddle.value, threads.simulated / instructions.simulated / 32);
  }
});

await test("every kernel has its row, and one that failed its reason", async () => {
  const rows = await page.$$eval(".beside tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent)));
  assert.deepEqual(rows.map(([workload, kernel]) => [workload, kernel]), validation.kernels.map((each) => [each.workload, each.kernel]));
  validation.kernels.forEach((each, i) => {
    if (each.failure) return assert.equal(rows[i][2], each.failure);
    assert.deepEqual(rows[i].slice(3, 5).map(Number), [each.measures.cycles.hardware, each.measures.cycles.simulated]);
    near(Number(rows[i][5]), each.measures.cycles.simulated / each.measures.cycles.hardware - 1);
  });
  assert.ok(validation.kernels.some((each) => each.failure));
});

await test("microbenchmarks within 5 % are told from the others", async () => {
  const rows = await page.$$eval(".micro tbody tr", (all) => all.map((row) => ({ name: row.cells[0].textContent, of: row.cells[3].className, error: Number(row.cells[3].dataset.value) })));
  assert.deepEqual(rows.map((row) => row.name), validation.micro.map((each) => each.name));
  for (const { error, of } of rows) assert.equal(of, Math.abs(error) <= 0.05 ? "holds" : "fails");
});

await test("a click on a heading sorts the kernels", async () => {
  await page.click(".beside thead th >> text=error");
  const order = await page.$$eval(".beside tbody tr", (all) => all.filter((row) => row.cells.length > 5).map((row) => Number(row.cells[5].dataset.value)));
  assert.deepEqual(order, [...order].sort((a, b) => b - a));
});

await test("every chart is drawn, and every figure is whole", async () => {
  assert.ok((await everyChartIsDrawn(page)) >= 5);
  await everyFigureIsWhole(page);
});
await close();

await test("a phone shows all of it without scrolling sideways", () => fitsAPhone(pagePath));

await test("names are text, whatever they are", async () => {
  const { close } = await staysText(hostilePath, hostileText);
  await close();
});

await finish("a validation");
