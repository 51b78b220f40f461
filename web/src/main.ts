// A page over the JSON that heddle has put into it.
import { drawAll } from "./charts/draw.ts";
import { addProfile } from "./profile/profile.ts";
import { addReport, addWanted } from "./report/report.ts";
import { readResults } from "./shared/data.ts";
import { h } from "./shared/dom.ts";
import { openTablesOnPaper, Page } from "./shared/page.ts";
import { addValidation } from "./validation/validation.ts";

function show(text: string): void {
  const results = readResults(text), page = new Page();
  results.validations.forEach((validation, i) => addValidation(page, validation, i === 0 ? "" : `-${i + 1}`));
  addReport(page, results);
  results.profiles.forEach((profile, i) => addProfile(page, profile, i + 1));
  addWanted(page, results);
  page.show(results.command);
  drawAll();
  openTablesOnPaper();
}

try {
  show(document.getElementById("data")?.textContent ?? "");
} catch (error) {
  document.body.prepend(h("p", { class: "notice" }, `The results in this page cannot be shown: ${error}`));
  throw error;
} finally {
  document.documentElement.dataset.ready = "";
}
