// Opens a page, presses a button that saves a picture, and keeps it:
//   node tools/save_picture.mjs PLAYWRIGHT CHROMIUM PAGE BUTTON FILE
import { createRequire } from "node:module";

const [playwright, executablePath, address, button, file] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: "light" });
await page.goto(`file://${address}`);
await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).first().click()]);
await download.saveAs(file);
await browser.close();
