// What the checks of runs found: each with the accesses it is about, the worst first.
import type { Finding, Run } from "../shared/data.ts";
import { h } from "../shared/dom.ts";
import { counted, grouped } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { heading, number, row, scrolling, table, td, th } from "../shared/table.ts";

const access = ({ what, thread, where, text }: Finding["accesses"][number]) =>
  h("p", {}, h("b", {}, what), ` ${thread}`, h("br"), `${where}: `, h("code", {}, text));

const findingRow = (finding: Finding) => row([
  th([h("b", {}, finding.check), h("br"), finding.title]), td(finding.kernel ?? ""), td([finding.what, finding.accesses.map(access)], { class: "text" }),
  number(finding.count, grouped(finding.count)),
], { class: finding.harmless ? "soft" : null });

export const worstFirst = (findings: Finding[]) => [...findings].sort((a, b) => Number(a.harmless) - Number(b.harmless));

export function summary({ asked, findings }: { asked: string[]; findings: Finding[] }): string {
  const harmless = findings.filter((each) => each.harmless).length;
  const found = findings.length === 0 ? "nothing" : counted(findings.length, "finding");
  return `${asked.join(", ")}: ${found}${harmless > 0 ? `, ${harmless} of them harmless` : ""}`;
}

export function addFindings(page: Page, runs: Run[]): void {
  const checked = runs.flatMap((run) => (run.checks ? [{ run, checks: run.checks }] : []));
  if (checked.length === 0) return;
  const [{ run, checks }] = checked;
  page.answer(checks.findings.some((each) => !each.harmless) ? `Checks found something in ${run.program}` : `Checks found nothing to mend in ${run.program}`,
    summary(checks));
  page.heading("checks", "What the checks found");
  for (const { run, checks } of checked) {
    page.add(h("p", {}, h("b", {}, run.program), ` under ${run.mechanism}: ${summary(checks)}.`));
    if (checks.findings.length > 0)
      page.add(scrolling("what the checks found", table(
        [heading("check"), heading("kernel", "text"), heading("what", "text"), heading("times")], worstFirst(checks.findings).map(findingRow), { class: "findings" })));
  }
}
