// Lines of code with what moves over them drawn beside, so that a step draws a few carets and not a thousand lines.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { pieces } from "../profile/highlight.ts";
import type { Caret } from "./carets.ts";
import { LaneSet } from "./lane_set.tsx";
import type { Paths } from "./paths.ts";

const lineHeight = 20;

export interface Line {
  pc: number; // -1: a label
  text: string;
}

export function linesOf(paths: Paths): Line[] {
  const { kernel } = paths, lines: Line[] = [];
  const functions = new Map(kernel.functions), blocks = new Map(kernel.blocks.map(([pc, label], i) => [pc, label || `B${i}`]));
  kernel.code.forEach((text, pc) => {
    const name = functions.get(pc), label = blocks.get(pc);
    if (name !== undefined) lines.push({ pc: -1, text: `${name}()` });
    if (label !== undefined && (name === undefined || pc > 0)) lines.push({ pc: -1, text: `${label}:` });
    lines.push({ pc, text });
  });
  return lines;
}

function useFollow(row: number) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || row < 0) return;
    const top = row * lineHeight, margin = 2 * lineHeight;
    if (top < element.scrollTop + margin || top > element.scrollTop + element.clientHeight - margin - lineHeight)
      element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [row]);
  return box;
}

// In the colours of the profile's source.
function coloured(lines: string[], ptx: boolean) {
  let open = false;
  return lines.map((line) => {
    const read = pieces(line, ptx, open);
    open = read.open;
    return <code>{read.pieces.map(([kind, text]) => (kind === "" ? text : <span class={`t-${kind}`}>{text}</span>))}</code>;
  });
}

const glyph = { now: "▶", runs: "▸", waits: "▹", meets: "◆" };

function Carets({ carets, rowOf, paths, width, side }: { carets: Caret[]; rowOf: Map<number, number>; paths: Paths; width: number; side: string }) {
  const byPc = new Map<number, Caret[]>();
  for (const caret of carets) byPc.set(caret.pc, [...(byPc.get(caret.pc) ?? []), caret]);
  return (
    <>
      {[...byPc].map(([pc, here]) => (
        <div key={`${side}${pc}`} class={`carets ${side} ${here.some((caret) => caret.kind === "now") ? "now" : ""}`} style={{ top: `${(rowOf.get(pc) ?? 0) * lineHeight}px` }}>
          {here.slice(0, 2).map((caret) => (
            <span class={`caret ${caret.kind} ${caret.mine ? "mine" : ""}`} style={{ color: paths.colour(pc) }}>
              {glyph[caret.kind]}
              {caret.mine && caret.set !== "" && !caret.set.includes(".") && <LaneSet set={caret.set} width={width} colour={paths.colour(pc)} cell={width <= 8 ? 6 : 2} />}
            </span>
          ))}
        </div>
      ))}
    </>
  );
}

interface CodePaneProps {
  paths: Paths;
  carets: { a: Caret[]; b: Caret[] | null };
  width: number;
  asked: number; // a PC that somebody wants to see; -1: none
}

export function CodePane({ paths, carets, width, asked }: CodePaneProps) {
  const lines = useMemo(() => linesOf(paths), [paths]);
  const rowOf = useMemo(() => new Map(lines.map((line, row) => [line.pc, row])), [lines]);
  const box = useFollow(rowOf.get(asked >= 0 ? asked : carets.a[0]?.pc ?? -1) ?? -1);
  const fixed = useMemo(() => {
    const texts = coloured(lines.map((line) => line.text), true);
    return lines.map((line, i) => line.pc < 0
      ? <div class="line label">{line.text}</div>
      : <div class="line"><span class="pc" style={{ borderColor: paths.colour(line.pc) }}>{line.pc}</span>{texts[i]}</div>);
  }, [lines]);
  return (
    <div class={carets.b ? "listing code two" : "listing code"} style={{ "--gutter": width <= 8 ? "48px" : "84px" }} ref={box} tabIndex={0} role="region" aria-label="PTX">
      <div class="lines">
        {carets.a.slice(0, 1).map((caret) => <div class="bar" style={{ top: `${(rowOf.get(caret.pc) ?? 0) * lineHeight}px` }} />)}
        {asked >= 0 && <div class="bar asked" style={{ top: `${(rowOf.get(asked) ?? 0) * lineHeight}px` }} />}
        {fixed}
        <Carets carets={carets.a} rowOf={rowOf} paths={paths} width={width} side="left" />
        {carets.b && <Carets carets={carets.b} rowOf={rowOf} paths={paths} width={width} side="right" />}
      </div>
    </div>
  );
}

interface SourcePaneProps {
  file: string;
  lines: string[];
  marks: { line: number; colour: string; now: boolean }[]; // the first is where the event is
}

export function SourcePane({ file, lines, marks }: SourcePaneProps) {
  const box = useFollow(marks.length > 0 ? marks[0]!.line - 1 : -1);
  const fixed = useMemo(
    () => coloured(lines.map((line) => line.replaceAll("\t", "    ")), file.endsWith(".ptx"))
      .map((text, i) => <div class="line"><span class="pc">{i + 1}</span>{text}</div>), [file, lines]);
  return (
    <div class="listing source-text" ref={box} tabIndex={0} role="region" aria-label="source">
      <div class="lines">
        {marks.map((mark) => <div class={mark.now ? "bar" : "edge"} style={{ top: `${(mark.line - 1) * lineHeight}px`, "--edge": mark.colour }} />)}
        {fixed}
      </div>
    </div>
  );
}
