// The page of a comparison in a real browser, against the JSON it was made from.
//   node compare.mjs PLAYWRIGHT CHROMIUM PAGE RESULTS.json HOSTILE_PAGE HOSTILE_TEXT
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { everyChartIsDrawn, everyFigureIsWhole, finish, fitsAPhone, json, near, nothingLeaves, open, staysText, table, test } from "./browser.mjs";

const [pagePath, resultsPath, hostilePath, hostileText] = process.argv.slice(4);
const results = json(resultsPath);
const run = (workload, mechanism) => results.runs.find((each) => each.program === workload && each.mechanism === mechanism);
const counts = (workload, mechanism) => run(workload, mechanism)?.exit_code === 0;

const { page, seen, close } = await open(pagePath, { viewport: { width: 1100, height: 900 } });
const first = results.mechanisms[0];

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

await test("every chart is drawn, with a mark for every number", async () => {
  assert.ok((await everyChartIsDrawn(page)) >= 7);
});

await test("every figure has a title, axes, a table and its command", () => everyFigureIsWhole(page));

await test("speed is the JSON's", async () => {
  const rows = await table(page, "ipc");
  let cells = 0;
  for (const workload of results.workloads)
    for (const mechanism of results.mechanisms) {
      if (!counts(workload, mechanism)) continue;
      const ratio = run(workload, mechanism).total.ipc / run(workload, first).total.ipc;
      near(rows[workload][mechanism].value, ratio);
      assert.equal(rows[workload][mechanism].text, ratio.toFixed(3));
      ++cells;
    }
  assert.ok(cells > 0);
  for (const mean of results.mean) near(rows.mean[mean.mechanism].value, mean.harmonic_mean);
});

await test("SIMD efficiency and idle cycles are the JSON's", async () => {
  const efficiency = await table(page, "efficiency"), idle = await table(page, "idle");
  for (const each of results.runs) {
    if (each.exit_code !== 0) continue;
    near(efficiency[each.program][each.mechanism].value, each.total.simd_efficiency);
    near(idle[each.program][each.mechanism].value, each.total.idle_cycles / (each.total.cycles * each.config.cores));
  }
  for (const mean of results.mean) {
    near(efficiency.mean[mean.mechanism].value, mean.simd_efficiency);
    near(idle.mean[mean.mechanism].value, mean.idle);
  }
});

await test("the breakdown is the JSON's and sums to the cycles of all cores", async () => {
  const rows = await table(page, "breakdown");
  for (const each of results.runs) {
    if (each.exit_code !== 0 || !counts(each.program, first)) continue;
    const cells = rows[`${each.program}/${each.mechanism}`];
    const whole = run(each.program, first).total.cycles * each.config.cores;
    let sum = 0;
    for (const [name, { value }] of Object.entries(cells)) {
      near(value, each.total.breakdown[name] / whole);
      sum += value;
    }
    near(sum, each.total.cycles / run(each.program, first).total.cycles);
  }
});

await test("traffic, compaction rates and the four outcomes are the JSON's", async () => {
  const traffic = await table(page, "traffic"), outcomes = await table(page, "decisions"), rates = await table(page, "compaction");
  const bytes = (each) => each.total.traffic.request_bytes + each.total.traffic.reply_bytes;
  for (const each of results.runs) {
    if (each.exit_code !== 0) continue;
    near(traffic[each.program][each.mechanism].value, bytes(each) / bytes(run(each.program, first)));
    const { decisions } = each.total;
    const all = decisions && decisions.stall_stall + decisions.stall_bypass + decisions.bypass_stall + decisions.bypass_bypass;
    if (all) near(outcomes[`${each.program}/${each.mechanism}`]["waited, rightly"].value, decisions.stall_stall / all);
    if (all) near(outcomes[`${each.program}/${each.mechanism}`]["passed on, should have waited"].value, decisions.bypass_stall / all);
  }
  const mean = results.mean.find((each) => each.compaction?.P.rates);
  for (const [map, rate] of Object.entries(mean.compaction.P.rates)) near(rates[map]["P-branches"].value, rate);
  for (const [map, rate] of Object.entries(mean.compaction.D.rates)) near(rates[map]["D-branches"].value, rate);
});

await test("bars are as long as their numbers", async () => {
  const bars = await page.$$eval("#efficiency .chart svg [aria-label=bar] rect", (all) =>
    all.map((bar) => ({ label: bar.getAttribute("aria-label"), width: Number(bar.getAttribute("width")) })));
  const unit = bars.map(({ label, width }) => width / Number(/: ([0-9.]+) %/.exec(label)[1]));
  for (const each of unit) assert.ok(Math.abs(each / unit[0] - 1) < 0.01, `${each} against ${unit[0]}`);
});

await test("a value is shown on hover", async () => {
  const bar = await page.$("#efficiency .chart svg [aria-label=bar] rect");
  await bar.scrollIntoViewIfNeeded();
  const box = await bar.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => document.querySelector("#efficiency .chart svg [aria-label=tip]")?.textContent.includes(" %"));
});
await close();

await test("a phone shows all of it without scrolling sideways", () => fitsAPhone(pagePath));

await test("dark and light are kept apart, and text can be read in both", async () => {
  const luminance = (rgb) => {
    const [r, g, b] = rgb.match(/[0-9.]+/g).map((part) => { const c = part / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const papers = [];
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await open(pagePath, { colorScheme });
    const [paper, ink, soft] = await page.evaluate(() => {
      const body = getComputedStyle(document.body);
      return [body.backgroundColor, body.color, getComputedStyle(document.querySelector(".soft")).color];
    });
    papers.push(luminance(paper));
    for (const text of [ink, soft]) {
      const [low, high] = [luminance(paper), luminance(text)].sort((a, b) => a - b);
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${text} on ${paper}`);
    }
    await close();
  }
  assert.ok(papers[0] > 0.8 && papers[1] < 0.1, String(papers));
});

await test("it prints, with the tables open", async () => {
  const { page, close } = await open(pagePath);
  await page.evaluate(() => { dispatchEvent(new Event("beforeprint")); });
  assert.equal(await page.$$eval("figure details:not([open])", (all) => all.length), 0);
  assert.ok((await page.pdf()).length > 20000);
  await close();
});

await test("names from kernels and files are text, whatever they are", async () => {
  const { page, close } = await staysText(hostilePath, hostileText);
  assert.ok((await page.textContent(".chart svg")).includes(hostileText.slice(0, 8)));
  await close();
});

await test("a page that cannot be shown says why", async () => {
  const broken = pagePath.replace(/\.html$/, "-broken.html");
  writeFileSync(broken, readFileSync(pagePath, "utf8").replace('"schema":"heddle-page-1"', '"schema":"heddle-page-0"'));
  const { page, close } = await open(broken);
  assert.match(await page.textContent(".notice:not(noscript *)"), /this page reads heddle-page-1, not heddle-page-0/);
  await close();
});

await finish("a comparison");
