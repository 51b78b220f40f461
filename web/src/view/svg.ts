// This moment as a picture for a slide: lanes around it, the code it is at, the mechanism's state.
import { caretsAt, isMine, placeOf } from "./carets.ts";
import type { Selection } from "./focus.ts";
import { runsOf } from "./lane_set.tsx";
import type { Paths } from "./paths.ts";
import { lanesOf, type Recording, type Row } from "./recording.ts";
import { columnOf } from "./state_shape.ts";

export interface Pictured {
  name: string;
  selection: Selection;
  place: number;
  paths: Paths[];
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const text = (x: number, y: number, words: string, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;
const rect = (x: number, y: number, width: number, height: number, fill: string, more = "") =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}" ${more}/>`;

const columnWidth = 460, around = 24;

class Drawing {
  readonly parts: string[] = [];
  y = 0;
  constructor(readonly x: number) {}

  title({ name, selection, place }: Pictured): void {
    const { recording } = selection, event = selection.events[place]!;
    this.y = 26;
    this.parts.push(text(this.x, this.y, name, 'font-size="18" font-weight="700"'));
    const when = recording.timed ? `, cycle ${recording.cycle[event]}` : "";
    this.parts.push(text(this.x + columnWidth, this.y, `slot ${recording.slot[event]}${when}, block ${recording.block[event]}, warp ${recording.warp[event]}`, 'text-anchor="end" fill="#555"'));
    this.y += 14;
  }
  strip({ selection, place, paths }: Pictured): void {
    const { recording, events } = selection, height = Math.max(3, Math.min(15, 120 / recording.width));
    const from = Math.max(0, Math.min(place - around / 2, events.length - around)), cell = columnWidth / around;
    for (let at = from; at < Math.min(events.length, from + around); ++at) {
      const event = events[at]!, x = this.x + (at - from) * cell, words = recording.threadsOf(event);
      this.parts.push(rect(x, this.y, cell - 1.5, height * recording.width, "#30343c"));
      words.forEach((thread, lane) => {
        if (thread < 0) return;
        this.parts.push(rect(x, this.y + lane * height, cell - 1.5, height - 0.5, paths[recording.kernelOf(event)]!.colour(recording.pc[event]!)));
        if (height >= 12) this.parts.push(text(x + cell / 2 - 0.75, this.y + (lane + 0.78) * height, String(thread), 'text-anchor="middle" font-size="10" font-weight="600" fill="#fff"'));
      });
      if (at === place) this.parts.push(rect(x - 1.5, this.y - 2, cell + 1.5, height * recording.width + 4, "none", 'stroke="#000" stroke-width="2"'));
    }
    this.y += height * recording.width + 22;
  }
  code({ selection, place, paths }: Pictured): void {
    const { recording } = selection, event = selection.events[place]!, ofKernel = paths[recording.kernelOf(event)]!;
    const pc = recording.pc[event]!, carets = caretsAt(recording, event);
    const first = Math.max(0, pc - 4), last = Math.min(ofKernel.kernel.code.length, first + 9);
    for (let at = first; at < last; ++at) {
      const block = ofKernel.blockAt(at);
      if (ofKernel.kernel.blocks[block]?.[0] === at && ofKernel.kernel.blocks[block]?.[1]) {
        this.parts.push(text(this.x + 54, this.y, `${ofKernel.name(block)}:`, 'font-family="monospace" font-size="12" fill="#666"'));
        this.y += 16;
      }
      if (at === pc) this.parts.push(rect(this.x, this.y - 12, columnWidth, 16, "#eef2f8"));
      const here = carets.find((caret) => caret.pc === at);
      if (here) this.parts.push(text(this.x + 2, this.y, here.kind === "now" ? "▶" : here.kind === "meets" ? "◆" : "▷", `fill="${ofKernel.colour(at)}"`));
      this.parts.push(rect(this.x + 18, this.y - 12, 4, 16, ofKernel.colour(at)));
      this.parts.push(text(this.x + 28, this.y, `${at}`.padStart(4) + `  ${ofKernel.kernel.code[at]!.slice(0, 56)}`, 'font-family="monospace" xml:space="preserve" font-size="12"'));
      this.y += 16;
    }
    this.y += 14;
  }
  state({ selection, place, paths }: Pictured): void {
    const { recording } = selection, event = selection.events[place]!, rows = recording.stateAt(event);
    const mine = rows.filter((row) => isMine(row, recording, event)), others = rows.filter((row) => !mine.includes(row));
    for (const row of [...mine, ...others].slice(0, 12)) this.row(row, recording, paths[recording.kernelOf(event)]!, mine.includes(row));
  }
  private row(row: Row, recording: Recording, paths: Paths, mine: boolean): void {
    this.parts.push(text(this.x, this.y, `${row.what} ${row.number}`, `font-weight="${mine ? 700 : 400}" font-size="13"`));
    this.y += 6;
    for (const entry of row.entries.slice(0, 16)) {
      const height = 20 + entry.fields.reduce((most, field) => Math.max(most, field.kind === "threads" ? (lanesOf(String(field.value)).length - 1) * 5 : 0), 0);
      this.parts.push(rect(this.x, this.y, columnWidth, height, mine ? "#f4f6fa" : "#fff", 'stroke="#999" stroke-width="0.8"'));
      let x = this.x + 6;
      const word = (words: string, more = "") => {
        this.parts.push(text(x, this.y + 14, words, `font-size="12" ${more}`));
        x += 7 * words.length + 6;
      };
      if (entry.word !== "") word(entry.word, 'font-weight="600"');
      const pc = Number(placeOf(entry)?.value ?? -1), colour = pc < 0 ? "#777" : paths.colour(pc);
      for (const field of entry.fields) {
        word(columnOf(field), 'fill="#666"');
        if (field.kind !== "threads") word(field.value === -1 ? "–" : String(field.value));
        else x = this.lanes(x, lanesOf(String(field.value)), recording.width, colour);
      }
      this.y += height;
    }
    this.y += 20;
  }
  private lanes(x: number, words: number[], width: number, colour: string): number {
    const cell = Math.min(9, 130 / width), height = words.length > 1 ? 4 : 10;
    words.forEach((_, row) => this.parts.push(rect(x, this.y + 5 + row * 5, cell * width, height, "#d9dce2")));
    for (const run of runsOf(words, width)) this.parts.push(rect(x + run.from * cell, this.y + 5 + run.row * 5, run.lanes * cell - 0.6, height, colour));
    return x + cell * width + 10;
  }
}

export function svgOf(title: string, pictured: Pictured[]): string {
  const drawings = pictured.map((each, i) => {
    const drawing = new Drawing(20 + i * (columnWidth + 40));
    drawing.title(each);
    drawing.strip(each);
    drawing.code(each);
    drawing.state(each);
    return drawing;
  });
  const width = 20 + pictured.length * (columnWidth + 40) - 20, height = Math.max(...drawings.map((drawing) => drawing.y)) + 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="#fff"/>${drawings.map((drawing) => drawing.parts.join("")).join("")}</svg>\n`;
}
