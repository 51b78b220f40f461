// Bundles test/*.test.ts and hands them to node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const work = mkdtempSync(join(tmpdir(), "heddle-web-"));
try {
  await build({
    absWorkingDir: here,
    entryPoints: readdirSync("test").filter((file) => file.endsWith(".test.ts")).map((file) => join("test", file)),
    bundle: true, format: "esm", platform: "node", outdir: work, outExtension: { ".js": ".mjs" }, logLevel: "warning",
  });
  const tests = readdirSync(work).map((file) => join(work, file));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--test", ...tests], { encoding: "utf8" });
  process.exitCode = status ?? 1;
  const passed = /^(?:#|ℹ) pass (\d+)$/m.exec(stdout)?.[1];
  console.log(status === 0 ? `all ${passed} tests of web/ passed` : stdout + stderr);
} finally {
  rmSync(work, { recursive: true });
}
