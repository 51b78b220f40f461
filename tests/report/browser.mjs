// What the tests of the report share: a browser that watches the page, and checks that hold of every page.
// Their first two arguments are PLAYWRIGHT and CHROMIUM.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const [playwright, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = 0, passed = 0;

export const json = (path) => JSON.parse(readFileSync(path, "utf8"));

export async function test(name, body) {
  try {
    await body();
    ++passed;
  } catch (error) {
    ++failed;
    console.error(`FAILED  ${name}\n${error.stack}`);
  }
}

export async function finish(what) {
  await browser.close();
  console.log(failed === 0 ? `${what}: all ${passed} tests of the report passed` : `${what}: ${failed} of ${passed + failed} tests failed`);
  process.exit(failed === 0 ? 0 : 1);
}

// A page, and all that it asked for, complained of or popped up.
export async function open(path, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = { requests: [], problems: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => message.type() === "error" && seen.problems.push(message.text()));
  page.on("pageerror", (error) => seen.problems.push(String(error)));
  page.on("dialog", (dialog) => { seen.problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined, null, { timeout: 60000 });
  return { page, seen, close: () => context.close() };
}

export const near = (a, b, by = 1e-9) => assert.ok(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

// The table of a chart as { row: { column: { value, text } } }; rows of stacks are "workload/mechanism".
export const table = (page, id) =>
  page.$eval(`#${id} table`, (element) => {
    const columns = [...element.tHead.rows[0].cells].map((cell) => cell.textContent);
    const rows = {};
    for (const row of element.tBodies[0].rows) {
      const heads = [...row.cells].filter((cell) => cell.tagName === "TH");
      const values = (rows[heads.map((cell) => cell.textContent).join("/")] = {});
      [...row.cells].forEach((cell, i) => {
        if (cell.dataset.value !== undefined) values[columns[i]] = { value: Number(cell.dataset.value), text: cell.textContent, best: cell.className === "best" };
      });
    }
    return rows;
  });

export function nothingLeaves(path, seen) {
  assert.deepEqual(seen.requests, [`file://${path}`]);
  assert.deepEqual(seen.problems, []);
}

const marks = { lines: "[aria-label=dot] circle", scatter: "[aria-label=dot] circle", heat: "[aria-label=cell] rect", bars: "[aria-label=bar] rect", stack: "[aria-label=bar] rect" };

// What is folded is drawn when it is opened. A chart has a mark for every number of its table, but for those of the
// yardstick. Returns how many charts there are.
export async function everyChartIsDrawn(page) {
  await page.evaluate(() => { for (const details of document.querySelectorAll("details.group, details.fold")) details.open = true; });
  const charts = await page.$$eval(".chart", (all) => all.map((place) => {
    const figure = place.closest("figure");
    const rows = [...figure.querySelector("table").tBodies[0].rows];
    const heads = rows[0].querySelectorAll("th").length, yardstick = place.dataset.yardstick !== undefined && place.dataset.kind === "bars";
    const numbers = rows.flatMap((row) => [...row.cells].slice(heads + (yardstick ? 1 : 0))).filter((cell) => cell.dataset.value !== undefined);
    return { id: figure.id, kind: place.dataset.kind, numbers: numbers.length };
  }));
  for (const { id, kind, numbers } of charts) {
    await page.waitForSelector(`#${id} .chart svg`, { timeout: 60000 });
    const drawn = await page.$$eval(`#${id} .chart svg ${marks[kind]}`, (all) => all.length);
    assert.ok(numbers > 0, id);
    assert.equal(drawn, numbers, id);
  }
  return charts.length;
}

export async function everyFigureIsWhole(page) {
  for (const figure of await page.$$("figure")) {
    const axis = (await figure.$(".legend .axis")) ? ".legend .axis" : "svg [aria-label$='axis label']";
    for (const part of ["figcaption h3", "figcaption p", axis, "table thead th[scope=col]", "table tbody th[scope=row]", ".command code"])
      assert.ok((await figure.$(part)) !== null, `${await figure.getAttribute("id")} has no ${part}`);
    assert.match(await figure.$eval(".command code", (code) => code.textContent), /heddle /);
  }
}

export async function fitsAPhone(path) {
  const phone = await open(path, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  assert.ok((await phone.page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(phone.seen.problems, []);
  await phone.close();
}

// A page whose names try to become part of it; the caller closes it.
export async function staysText(path, text) {
  const opened = await open(path);
  nothingLeaves(path, opened.seen);
  assert.equal(await opened.page.$$eval("img, iframe, object, script[src]", (all) => all.length), 0);
  assert.equal(await opened.page.$$eval("script", (all) => all.length), 2);
  assert.ok((await opened.page.textContent("main")).includes(text));
  return opened;
}
