// The viewer in Chromium: PLAYWRIGHT CHROMIUM VIEW.html VIEW.json TRACE.txt GALLERY.html HOSTILE.html TEXT
// VIEW is of two mechanisms with a clock; TRACE is what --trace-steps printed of the first.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { finish, fitsAPhone, json, nothingLeaves, open, staysText, test } from "./browser.mjs";

const [view, data, trace, gallery, hostile, text] = process.argv.slice(4);
const example = json(data).examples[0], [first, second] = example.recordings;
const slotOf = (page, mechanism) => page.$eval(`.track[data-mechanism="${mechanism}"]`, (track) => Number(track.dataset.slot));
const hash = async (page) => {
  await page.waitForTimeout(250); // the address follows with a delay
  return new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
};
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

// Lines of the trace, by slot: "pc", "threads by lane", "instruction".
const traced = new Map([...readFileSync(trace, "utf8").matchAll(/^ *(\d+)[ +] *\d+ +\d+ +\d+ +\d+ +(\d+) +[\d-]+ +\[([^\]]*)\] +(.*)$/gm)]
  .map(([, slot, pc, lanes, code]) => [Number(slot), { pc: Number(pc), lanes: lanes.trim().split(/ +/), code }]));

await test("opens without script errors and without network, at the first divergence", async () => {
  const { page, seen, close } = await open(view);
  nothingLeaves(view, seen);
  const slot = await slotOf(page, first.mechanism), at = traced.get(slot);
  assert.match(at.code, /bra/);
  assert.match(await page.textContent(".track .where"), new RegExp(`slot ${slot}, cycle `));
  assert.ok((await page.textContent(".listing.code")).includes(at.code));
  await close();
});

await test("steps by keyboard as the trace has it, forward and back", async () => {
  const { page, close } = await open(view);
  await press(page, "Home");
  for (let slot = 0; slot < 30; ++slot) {
    assert.equal(await slotOf(page, first.mechanism), slot);
    const { lanes } = traced.get(slot), active = lanes.filter((lane) => lane !== "-").length;
    assert.match(await page.textContent(".track .where"), new RegExp(`${active} of ${first.warp_size} lanes`));
    const caret = await page.$eval(".carets.left.now", (element) => parseInt(element.style.top) / 20);
    const line = await page.$eval(".listing.code", (box, row) => box.querySelectorAll(".line")[row].querySelector(".pc").textContent, caret);
    assert.equal(Number(line), traced.get(slot).pc);
    await press(page, "ArrowRight");
  }
  await press(page, "ArrowLeft", "ArrowLeft");
  assert.equal(await slotOf(page, first.mechanism), 28);
  await press(page, "End");
  assert.equal(await slotOf(page, first.mechanism), first.count - 1);
  await close();
});

await test("a divergence is a slot behind which its threads are on two paths, a merge one that brings them together", async () => {
  const { page, close } = await open(view);
  await press(page, "Home", "w"); // one warp
  await press(page, "d");
  const at = traced.get(await slotOf(page, first.mechanism));
  await press(page, "ArrowRight");
  const behind = traced.get(await slotOf(page, first.mechanism));
  assert.match(at.code, /bra/);
  assert.ok(behind.lanes.filter((lane) => lane !== "-").length < at.lanes.filter((lane) => lane !== "-").length);
  assert.ok((await page.$$(".row.mine .stack li, .row.mine tbody tr")).length > 1, "more than one path in the state");
  await press(page, "m");
  const met = traced.get(await slotOf(page, first.mechanism));
  assert.ok(met.lanes.filter((lane) => lane !== "-").length > behind.lanes.filter((lane) => lane !== "-").length);
  await press(page, "Shift+D");
  assert.match(traced.get(await slotOf(page, first.mechanism)).code, /bra/);
  await close();
});

await test("a link leads to its moment, and the address follows", async () => {
  const { page, close } = await open(`${view}#a=${second.mechanism}&b=&slot=41&axis=cycle`);
  assert.equal(await slotOf(page, second.mechanism), 41);
  assert.equal((await page.$$(".track")).length, 1);
  await press(page, "ArrowRight");
  const words = await hash(page);
  assert.deepEqual([words.get("a"), words.get("b"), words.get("slot"), words.get("axis")], [second.mechanism, "", "42", "cycle"]);
  assert.ok((await page.textContent(".gaps")).includes("memory"));
  await page.evaluate((name) => { location.hash = `#a=${name}&slot=7`; }, first.mechanism);
  await page.waitForFunction((name) => document.querySelector(".track").dataset.mechanism === name, first.mechanism);
  assert.equal(await slotOf(page, first.mechanism), 7);
  await close();
});

await test("two mechanisms go side by side, by slot and by progress", async () => {
  const { page, close } = await open(`${view}#a=${first.mechanism}&b=${second.mechanism}&slot=500`);
  assert.deepEqual([await slotOf(page, first.mechanism), await slotOf(page, second.mechanism)], [500, 500]);
  assert.equal((await page.$$("[data-state]")).length, 2);
  await page.selectOption("label:has-text('aligned by') select", "progress");
  assert.equal(await slotOf(page, first.mechanism), 500);
  assert.notEqual(await slotOf(page, second.mechanism), 500);
  const other = await slotOf(page, second.mechanism);
  await press(page, "x");
  assert.equal(await page.$eval(".track", (track) => track.dataset.mechanism), second.mechanism);
  assert.equal(await slotOf(page, second.mechanism), other);
  await close();
});

await test("a focus on a warp shows that warp only", async () => {
  const { page, close } = await open(view);
  await press(page, "w");
  const words = await hash(page), warp = words.get("only-warp");
  for (let i = 0; i < 12; ++i) {
    assert.match(await page.textContent(".track .where"), new RegExp(`warp ${warp},`));
    await press(page, "ArrowRight");
  }
  await press(page, "Escape");
  assert.equal((await hash(page)).get("only-warp"), null);
  await close();
});

await test("clicks into the strip and drags over the line go there", async () => {
  const { page, close } = await open(view);
  await page.click(".overview canvas", { position: { x: 300, y: 10 } });
  const there = await slotOf(page, first.mechanism);
  assert.ok(there > first.count * 0.1 && there < first.count * 0.5, String(there));
  const box = await (await page.$(".strip canvas")).boundingBox();
  await page.mouse.click(box.x + box.width / 2 + 60, box.y + 20);
  assert.ok((await slotOf(page, first.mechanism)) > there);
  await close();
});

await test("a moment can be saved as a picture", async () => {
  const { page, close } = await open(`${gallery}#example=10-compaction&slot=16`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-action=svg]")]);
  assert.match(download.suggestedFilename(), /^10-compaction-tbc-pdom-slot-16\.svg$/);
  const svg = readFileSync(await download.path(), "utf8");
  assert.ok(svg.startsWith("<svg") && svg.includes("stack of block 0") && svg.includes("WCnt"));
  assert.equal(await page.evaluate((source) => new DOMParser().parseFromString(source, "image/svg+xml").querySelectorAll("parsererror").length, svg), 0);
  await close();
});

await test("every example of the gallery opens under every mechanism that ran it", async () => {
  const { page, seen, close } = await open(gallery);
  const count = await page.$$eval("label:has-text('example') option", (all) => all.length);
  assert.ok(count >= 16);
  for (let example = 0; example < count; ++example) {
    await page.selectOption("label:has-text('example') select", String(example));
    const mechanisms = await page.$$eval("label:has-text('mechanism') option:not([disabled])", (all) => all.map((option) => option.value));
    assert.ok(mechanisms.length >= 10, `example ${example}: ${mechanisms.length} mechanisms`);
    for (const mechanism of mechanisms) {
      await page.selectOption("label:has-text('mechanism') select", mechanism);
      await press(page, "d", "ArrowRight", "m");
      assert.ok((await page.$$("[data-state] .row")).length > 0);
    }
  }
  assert.deepEqual(seen.problems, []);
  await close();
});

await test("the deadlock of the spin loop says so", async () => {
  const { page, close } = await open(`${gallery}#example=08-spin&a=pdom&b=its`);
  assert.match(await page.textContent(".track[data-mechanism=pdom] .notice"), /spins under 'pdom'/);
  assert.equal(await page.$(".track[data-mechanism=its] .notice"), null);
  await close();
});

await test("keys are explained over the page", async () => {
  const { page, close } = await open(view);
  await press(page, "?");
  assert.ok(await page.isVisible("dialog.help"));
  const before = await slotOf(page, first.mechanism);
  await press(page, "ArrowRight");
  assert.equal(await slotOf(page, first.mechanism), before, "keys are the dialog's");
  await press(page, "Escape");
  await page.waitForSelector("dialog.help", { state: "detached" });
  await close();
});

await test("fits a phone", async () => {
  await fitsAPhone(view);
  await fitsAPhone(gallery);
});

await test("names that try to become part of the page stay text", async () => {
  const { page, close } = await staysText(hostile, text);
  await press(page, "d", "ArrowRight");
  assert.ok((await page.textContent("[data-state]")).includes(text));
  await close();
});

await finish("view");
