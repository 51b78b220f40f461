// Opens a page, presses a button that saves a picture, and keeps it; or, of a .png, the page from the top down to what
// the selector names:
//   node tools/save_picture.mjs PLAYWRIGHT CHROMIUM PAGE BUTTON FILE
import { createRequire } from "node:module";

const [playwright, executablePath, address, button, file] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: "light" });
await page.goto(`file://${address}`);
await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
if (file.endsWith(".png")) {
  const last = await page.locator(button).first().boundingBox();
  await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width: 1200, height: last.y + last.height + 8 } });
} else {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).first().click()]);
  await download.saveAs(file);
}
await browser.close();
