// How a row of a mechanism's state is drawn: stacks as stacks, the rest as tables.
import type { Entry, Field, Row } from "./recording.ts";

export interface Part {
  form: "stack" | "table" | "facts";
  columns: string[];
  entries: Entry[];
}

// A running path has a "pc", a waiting one "next": the same column.
export const columnOf = (field: Field) => (field.kind === "code" && field.name === "next" ? "pc" : field.name);

const signature = (entry: Entry) => entry.fields.map(columnOf).join(" ");
const isStack = (entry: Entry) => entry.word === "" && entry.fields.some((field) => field.name === "rpc");
const isFact = (entry: Entry) => entry.word === "" && entry.fields.every((field) => field.kind === "number" || field.kind === "text");

// Entries with the same columns, in the order in which they come.
export function partsOf(row: Row): Part[] {
  const parts = new Map<string, Part>();
  for (const entry of row.entries) {
    const form = isStack(entry) ? "stack" : isFact(entry) ? "facts" : "table";
    const key = `${form} ${form === "stack" ? "" : signature(entry)}`;
    let part = parts.get(key);
    if (!part) parts.set(key, (part = { form, columns: [], entries: [] }));
    for (const field of entry.fields) if (!part.columns.includes(columnOf(field))) part.columns.push(columnOf(field));
    part.entries.push(entry);
  }
  for (const part of parts.values()) part.columns = part.columns.filter((column) => isTold(part, column));
  return [...parts.values()];
}

// Depth 0 everywhere says nothing.
function isTold(part: Part, column: string): boolean {
  if (column !== "depth" && column !== "above") return true;
  return part.entries.some((entry) => fieldOf(entry, column)?.value !== 0);
}

export const fieldOf = (entry: Entry, column: string) => entry.fields.find((field) => columnOf(field) === column);
