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

await test("the title says who is fastest, by the means of the JSON", async () => {
  const best = results.mean.reduce((a, b) => (b.harmonic_mean > a.harmonic_mean ? b : a)), title = await page.textContent("h1");
  if (best.harmonic_mean < 1.005) assert.match(title, /^Nothing is faster than /);
  else assert.equal(title, `${best.mechanism} is ${(100 * (best.harmonic_mean - 1)).toFixed(1)} % faster than ${first}`);
});

await test("there is one table, in which every workload has one winner, and where the cycles go comes next", async () => {
  assert.equal(await page.$$eval(".standings", (all) => all.length), 1);
  const wins = await page.$$eval(".standings tbody tr", (all) => all.map((row) => Number(row.cells[4].dataset.value)));
  assert.equal(wins.reduce((sum, each) => sum + each, 0), results.workloads.length);
  assert.equal(await page.$eval("figure", (figure) => figure.id), "breakdown");
});

await test("inputs that do not fill the machine are warned of", async () => {
  const share = (each) => each.total.empty_cycles / (each.total.cycles * each.config.cores);
  const empty = results.workloads.filter((workload) => share(run(workload, first)) > 0.5);
  assert.ok(empty.length > 0);
  const notice = await page.textContent(".filling");
  for (const workload of empty) assert.ok(notice.includes(`${workload} (${(100 * share(run(workload, first))).toFixed(1)} %)`), workload);
});

await test("a table is sorted by a click on a heading, and is as it was after the third", async () => {
  const efficiencies = () => page.$$eval(".standings tbody [data-field=simd_efficiency]", (all) => all.map((cell) => Number(cell.dataset.value)));
  const given = await efficiencies(), heading = page.locator(".standings th", { hasText: "SIMD eff." });
  await heading.click();
  assert.deepEqual(await efficiencies(), [...given].sort((a, b) => b - a));
  await heading.click();
  assert.deepEqual(await efficiencies(), [...given].sort((a, b) => a - b));
  await heading.press("Enter");
  assert.deepEqual(await efficiencies(), given);
});

await test("a click on a name of the legend leaves its bars out, and brings them back", async () => {
  const bars = () => page.$$eval("#efficiency .chart svg [aria-label=bar] rect", (all) => all.map((bar) => bar.getAttribute("aria-label")));
  const all = await bars(), button = page.locator("#efficiency .legend button", { hasText: /^tbc$/ });
  await button.click();
  assert.deepEqual(await bars(), all.filter((label) => !label.includes(", tbc:")));
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await button.click();
  assert.deepEqual(await bars(), all);
});

const saved = async (figure, label) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${figure} .tools button:text-is("${label}")`)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
};

await test("a chart is saved as numbers and as a picture that needs nothing of the page", async () => {
  const csv = await saved("efficiency", "CSV"), rows = csv.text.trim().split("\n").map((row) => row.split(","));
  assert.equal(csv.name, "efficiency.csv");
  assert.deepEqual(rows[0].slice(3), results.mechanisms);
  for (const [workload, , , value] of rows.slice(2)) assert.equal(Number(value), run(workload, first).total.simd_efficiency);
  for (const figure of ["efficiency", "breakdown"]) {
    const svg = await saved(figure, "SVG");
    assert.equal(svg.name, `${figure}.svg`);
    assert.ok(svg.text.startsWith("<svg") && svg.text.includes(await page.textContent(`#${figure} h3`)));
    assert.ok(!/var\(--|color-mix/.test(svg.text), "a colour that only this page knows");
  }
});

await test("a command is copied", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#ipc .command button");
  await page.waitForFunction(() => document.querySelector("#ipc .command button").textContent === "copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.textContent("#ipc .command code"));
});

await test("small differences do not fill a chart of ratios, and labels stand at the ends of bars", async () => {
  const bars = await page.$$eval("#ipc .chart svg [aria-label=bar] rect", (all) => all.map((bar) => {
    const box = bar.getBoundingClientRect();
    return { label: bar.getAttribute("aria-label"), left: box.left, right: box.right, middle: (box.top + box.bottom) / 2 };
  }));
  const texts = await page.$$eval("#ipc .chart svg [aria-label=text] text", (all) => all.map((text) => {
    const box = text.getBoundingClientRect();
    return { text: text.textContent, left: box.left, right: box.right, middle: (box.top + box.bottom) / 2 };
  }));
  for (const bar of bars) {
    const [, value] = /: ([0-9.]+)/.exec(bar.label);
    const near = texts.filter((text) => Math.abs(text.middle - bar.middle) < 4 && text.text.startsWith(value));
    assert.ok(near.some((text) => (Number(value) < 1 ? bar.left - text.right : text.left - bar.right) < 12), bar.label);
  }
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
