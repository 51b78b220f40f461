// Makes the pages of dist/, each without its data: template, style and script in one file that fetches nothing.
//   node build.mjs [FOLDER]
// The same sources and the same lock file give the same bytes on every machine; tools/check-bundle holds it to that.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const sha256 = (text, encoding) => createHash("sha256").update(text).digest(encoding);

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]);

// As `sha256sum FILES | sha256sum` has it, so that no node is needed to compare.
function sourcesHash() {
  const files = ["build.mjs", "package-lock.json", "page.html", ...filesBelow("src")].sort();
  return sha256(files.map((file) => `${sha256(readFileSync(file), "hex")}  ${file}\n`).join(""), "hex");
}

async function bundled(entry) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, format: "iife", charset: "utf8", target: "es2020",
    jsx: "automatic", jsxImportSource: "preact",
    legalComments: "none", logLevel: "warning", write: false,
  });
  return result.outputFiles[0].text.trim();
}

const pages = [
  { name: "page.html", title: "Heddle: which threads issue together?", style: "src/shared/theme.css", script: "src/main.ts" },
  { name: "view.html", title: "Heddle: watch threads issue", style: "src/view/view.css", script: "src/view/main.tsx" },
];

async function made(page) {
  const script = await bundled(page.script);
  if (script.includes("</script")) throw new Error(`the script of ${page.name} would end its own element`);
  const parts = {
    TITLE: page.title, STYLE: await bundled(page.style), SCRIPT: script, HASH: sha256(script, "base64"), SOURCES: sourcesHash(),
  };
  return readFileSync("page.html", "utf8").replace(/@(TITLE|STYLE|SCRIPT|HASH|SOURCES)@/g, (_, name) => parts[name]);
}

const folder = process.argv[2] ?? "dist";
mkdirSync(folder, { recursive: true });
for (const page of pages) writeFileSync(join(folder, page.name), await made(page));
