// The page of heddle reproduce in a real browser: claims, all mechanisms on one machine, curves.
//   node reproduction.mjs PLAYWRIGHT CHROMIUM PAGE REPRODUCTION.json RESULTS_FOLDER HOSTILE_PAGE HOSTILE_TEXT
import { readdirSync } from "node:fs";
import assert from "node:assert/strict";
import { everyChartIsDrawn, everyFigureIsWhole, finish, fitsAPhone, json, near, nothingLeaves, open, staysText, table, test } from "./browser.mjs";

const [pagePath, reproductionPath, folder, hostilePath, hostileText] = process.argv.slice(4);
const [experiment] = json(reproductionPath).experiments;
const kept = readdirSync(folder).map((file) => json(`${folder}/${file}`));
const { page, seen, close } = await open(pagePath, { viewport: { width: 1100, height: 900 } });

await test("nothing leaves the file, and nothing is complained of", () => nothingLeaves(pagePath, seen));

// As the terminal shows it.
const shown = {
  change: (value) => `${value < 1 ? "-" : "+"}${Math.abs(100 * (value - 1)).toFixed(1)} %`,
  times: (value) => `${value.toFixed(2)} x`,
  percent: (value) => `${(100 * value).toFixed(1)} %`,
  number: (value) => String(Number(value.toPrecision(6))),
};

function oursOf(part) {
  if (part.figure !== null) return shown[part.unit](part.figure);
  const values = part.workloads.map((each) => each.value);
  const good = part.workloads.filter((each) => each.verdict.startsWith("holds")).length;
  return `${good} of ${values.length}: ${shown[part.unit](Math.min(...values))} to ${shown[part.unit](Math.max(...values))}`;
}

await test("the claims are the JSON's: figures, units, verdicts, workloads", async () => {
  const rows = await page.$$eval(".claims tbody tr", (all) => all.map((row) => ({
    cells: [...row.cells].map((cell) => (cell.querySelector("details") ? cell.firstChild.textContent : cell.textContent)),
    by: [...row.querySelectorAll(".by li")].map((item) => item.textContent),
  })));
  const units = new Set();
  let at = 0;
  const expect = (cells, workloads) => {
    assert.deepEqual(rows[at].cells, cells);
    if (workloads) assert.deepEqual(rows[at].by, workloads);
    ++at;
  };
  const byWorkload = (part) => part.workloads.map((each) => `${each.workload}\u00a0${shown[part.unit_of_workloads](each.value)}`);
  for (const claim of experiment.claims) {
    const one = claim.parts.length === 1 && claim.orders.length === 0;
    expect([claim.id, claim.text, claim.paper, one ? oursOf(claim.parts[0]) : "", claim.verdict], one && byWorkload(claim.parts[0]));
    for (const part of one ? [] : claim.parts) {
      units.add(part.unit);
      expect(["", part.name, part.paper === null ? "" : shown[part.unit](part.paper), oursOf(part), part.verdict ?? ""], byWorkload(part));
    }
    for (const order of claim.orders) expect(["", `order: ${order.largest_first.join(" > ")}`, "", "", order.verdict]);
  }
  assert.equal(at, rows.length);
  assert.deepEqual([...units].sort(), ["change", "number", "percent", "times"]);
});

await test("the tally counts the claims", async () => {
  const cells = await page.$$eval(".tally .sum > *", (all) => all.map((cell) => cell.textContent));
  const heads = await page.$$eval(".tally thead th", (all) => all.map((cell) => cell.textContent));
  assert.equal(Number(cells[1]), experiment.claims.length);
  for (let i = 2; i < heads.length; ++i)
    assert.equal(Number(cells[i]), experiment.claims.filter((claim) => claim.verdict === heads[i]).length, heads[i]);
});

await test("there is one table of the mechanisms, and it is the JSON's", async () => {
  const rows = await page.$$eval("#head-to-head ~ * .standings tbody tr", (all) => all.map((row) => ({
    name: row.cells[0].textContent,
    values: Object.fromEntries([...row.cells].filter((cell) => cell.dataset.field).map((cell) => [cell.dataset.field, Number(cell.dataset.value)])),
    text: [...row.cells].map((cell) => cell.textContent),
  })));
  const { mechanisms, workloads } = experiment.head_to_head;
  for (const [i, { name, wins, bound, ...figures }] of mechanisms.entries()) {
    assert.equal(rows[i].name, name);
    assert.deepEqual(Object.keys(rows[i].values).sort(), Object.keys(figures).sort());
    for (const [field, value] of Object.entries(figures)) near(rows[i].values[field], value);
    assert.equal(rows[i].text[1], shown.change(figures.ipc_divergent));
    const won = (of) => workloads.filter((each) => each.winner === name && each.class === of).length;
    const tied = workloads.filter((each) => each.winner === name && each.tied.length > 0).length;
    assert.equal(rows[i].text[4], `${won("divergent")} + ${won("coherent")}${tied > 0 ? `, ${tied} tied` : ""}`);
    assert.equal(won("divergent") + won("coherent"), wins);
    assert.equal(bound, false);
  }
  const names = (row) => row.name;
  assert.ok(!rows.slice(mechanisms.length).map(names).join().includes(mechanisms.map((each) => each.name).join()), "the same mechanisms are ranked twice");
});

await test("the answer is the title and the first sentence", async () => {
  const { mechanisms } = experiment.head_to_head;
  const best = mechanisms.reduce((a, b) => (b.ipc_all > a.ipc_all ? b : a));
  const title = await page.textContent("h1");
  assert.equal(title, `${best.name} is ${shown.change(best.ipc_all).slice(1)} faster than ${mechanisms[0].name}`);
  assert.equal(await page.title(), `${title} · Heddle`);
  assert.ok((await page.textContent(".answer")).includes(`${shown.change(best.ipc_divergent)} where programs diverge`));
});

await test("verdicts have colours of their own", async () => {
  const colours = await page.evaluate(() => {
    const found = {};
    for (const cell of document.querySelectorAll(".claims td.text")) found[cell.textContent] = getComputedStyle(cell).color;
    const style = getComputedStyle(document.documentElement);
    return { found, named: ["--holds", "--direction", "--fails"].map((name) => style.getPropertyValue(name)) };
  });
  assert.equal(new Set(colours.named).size, 3);
  const seen = Object.entries(colours.found).filter(([verdict]) => /^(holds|holds in direction|does not hold)$/.test(verdict));
  assert.ok(seen.length >= 2);
  assert.equal(new Set(seen.map(([, colour]) => colour)).size, seen.length);
});

await test("the means are the JSON's", async () => {
  const { mechanisms } = experiment.head_to_head;
  const means = await table(page, "contenders");
  for (const each of mechanisms) {
    near(means[each.name].divergent.value, each.ipc_divergent);
    near(means[each.name].coherent.value, each.ipc_coherent);
    near(means[each.name].all.value, each.ipc_all);
  }
});

await test("where the cycles go stands below the table, of every workload and mechanism of it that is here", async () => {
  const rows = await table(page, "breakdown-of-all");
  const { mechanisms, workloads } = experiment.head_to_head;
  for (const { workload, ipc_against_first: ratios } of workloads)
    for (const { name } of mechanisms) assert.equal(rows[`${workload}/${name}`] !== undefined, ratios[name] !== null, `${workload} ${name}`);
  assert.equal(await page.$eval("figure", (figure) => figure.id), "breakdown-of-all");
});

await test("who wins where is the JSON's, and what is missing has its reason", async () => {
  const rows = await table(page, "contests");
  for (const each of experiment.head_to_head.workloads) {
    const row = rows[`${each.workload}/${each.class}`];
    for (const [mechanism, ratio] of Object.entries(each.ipc_against_first)) {
      assert.equal(row[mechanism] === undefined, ratio === null);
      if (ratio === null) continue;
      near(row[mechanism].value, ratio);
      assert.equal(row[mechanism].best, mechanism === each.winner);
    }
  }
  assert.equal(experiment.head_to_head.workloads.find((each) => each.workload === "nvrt").missing.dwf, "FAILED");
  assert.ok((await page.textContent("#contests table")).includes("FAILED"));
});

await test("the deeper the shade, the further from the yardstick", async () => {
  const cells = await page.$$eval("#contests .chart svg [aria-label=cell] rect", (all) =>
    all.map((cell) => ({ label: cell.getAttribute("aria-label"), fill: cell.getAttribute("fill") })));
  const seenBest = await page.$$eval("#contests .chart svg [aria-label=cell] rect[stroke=currentColor]", (all) => all.length);
  assert.equal(seenBest, experiment.head_to_head.workloads.filter((each) => each.winner).length);
  const shades = cells.map(({ label, fill }) => {
    const value = Number(/: ([0-9.]+)( \(tied with .*\))?$/.exec(label)[1]), [, towards, part] = /--(less|more)\) ([0-9]+)%/.exec(fill);
    if (part > 0) assert.equal(towards, value < 1 ? "less" : "more", label);
    return { far: Math.abs(Math.log2(value)), part: Number(part) };
  }).sort((a, b) => a.far - b.far);
  for (let i = 1; i < shades.length; ++i) assert.ok(shades[i].part >= shades[i - 1].part);
  assert.equal(shades[0].part, 0);
  assert.ok(shades.at(-1).part > 10);
});

await test("curves are those of the results", async () => {
  const harmonic = (values) => values.length / values.reduce((sum, value) => sum + 1 / value, 0);
  for (const [key, mechanism, schedule, fewest] of [["capt_entries", "capri", undefined, 3], ["fetch_group", "pdom", "two-level", 3]]) {
    const rows = await table(page, `curve-${key}`);
    assert.ok(Object.keys(rows).length >= fewest, key);
    for (const [x, cells] of Object.entries(rows)) {
      const runs = kept.filter(({ identity }) => identity.mechanism === mechanism && identity.config[key] === x &&
        (schedule === undefined || identity.schedule === schedule) && ["bfs", "bitonic"].includes(identity.workload));
      assert.equal(runs.length, 2, `${key} ${x}`);
      near(cells[mechanism].value, harmonic(runs.map((each) => each.total.ipc)));
    }
  }
});

await test("every chart is drawn, also what is folded, and every figure is whole", async () => {
  assert.ok((await everyChartIsDrawn(page)) >= 10);
  await everyFigureIsWhole(page);
});
await close();

await test("a phone shows all of it without scrolling sideways", () => fitsAPhone(pagePath));

await test("names are text, whatever they are", async () => {
  const { page, close } = await staysText(hostilePath, hostileText);
  assert.ok((await page.textContent(".claims")).includes(hostileText));
  assert.ok((await page.textContent(".standings")).includes(hostileText));
  assert.ok((await page.textContent("#contests .chart svg")).includes(hostileText.slice(0, 8)));
  await close();
});

await finish("a reproduction");
