// The mechanism's state at a moment, as its paper draws it.
import { isMine, placeOf } from "./carets.ts";
import { LaneSet } from "./lane_set.tsx";
import type { Paths } from "./paths.ts";
import type { Entry, Field, Recording, Row } from "./recording.ts";
import { columnOf, fieldOf, type Part, partsOf } from "./state_shape.ts";

interface Shown {
  recording: Recording;
  paths: Paths;
  goTo: (pc: number) => void;
}

function Code({ pc, paths, goTo }: { pc: number; paths: Paths; goTo: (pc: number) => void }) {
  if (pc < 0) return <span class="none">–</span>;
  return (
    <button type="button" class="code-link" onClick={() => goTo(pc)} title={paths.kernel.code[pc] ?? ""}>
      <span class="dot" style={{ background: paths.colour(pc) }} />
      {pc}
    </button>
  );
}

function Value({ field, entry, shown }: { field: Field; entry: Entry; shown: Shown }) {
  if (field.kind === "code") return <Code pc={Number(field.value)} paths={shown.paths} goTo={shown.goTo} />;
  if (field.kind === "threads") return <Threads field={field} entry={entry} shown={shown} />;
  if (field.name === "threads") return <span class="chips">{String(field.value).split(" ").map((each) => <i>{each}</i>)}</span>;
  return <span>{String(field.value)}</span>;
}

// Who has come to a barrier is drawn over those who will.
const inside = new Map([["arrived", "mask"], ["pending", "mask"], ["waits", "mask"]]);

function Threads({ field, entry, shown }: { field: Field; entry: Entry; shown: Shown }) {
  const place = placeOf(entry), pc = Number(place?.value ?? -1);
  const among = inside.get(field.name), all = among === undefined ? undefined : fieldOf(entry, among);
  return (
    <LaneSet set={String(field.value)} among={all && String(all.value)} width={shown.recording.width}
      cell={shown.recording.width <= 8 ? 12 : 5} colour={pc < 0 ? "var(--soft)" : shown.paths.colour(pc)} />
  );
}

function Stack({ part, shown }: { part: Part; shown: Shown }) {
  return (
    <ol class="stack">
      {part.entries.map((entry, i) => (
        <li class={i === 0 ? "top" : ""}>
          {entry.fields.map((field) => (
            <span class="pair"><b>{i === 0 && field.name === "pc" ? "top: pc" : columnOf(field)}</b> <Value field={field} entry={entry} shown={shown} /></span>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Table({ part, shown }: { part: Part; shown: Shown }) {
  const words = part.entries.some((entry) => entry.word !== "");
  return (
    <table>
      <thead><tr>{words && <th scope="col" />}{part.columns.map((column) => <th scope="col">{column}</th>)}</tr></thead>
      <tbody>
        {part.entries.map((entry) => (
          <tr class={`is-${entry.word.split(/[ ,]/)[0]}`}>
            {words && <th scope="row">{entry.word}</th>}
            {part.columns.map((column) => {
              const field = fieldOf(entry, column);
              return <td>{field && <Value field={field} entry={entry} shown={shown} />}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const facts = (part: Part) =>
  part.entries.flatMap((entry) => entry.fields.map((field) => <span class="fact"><b>{field.name}</b> {String(field.value)}</span>));

function StateRow({ row, mine, shown }: { row: Row; mine: boolean; shown: Shown }) {
  return (
    <section class={mine ? "row mine" : "row"}>
      <h3>{row.what} {row.number}</h3>
      {partsOf(row).map((part) =>
        part.form === "stack" ? <Stack part={part} shown={shown} /> : part.form === "facts" ? <p class="facts">{facts(part)}</p> : <Table part={part} shown={shown} />)}
      {row.entries.length === 0 && <p class="none">nobody</p>}
    </section>
  );
}

const most = 64; // rows drawn at a time

export function StatePane({ event, ...shown }: Shown & { event: number }) {
  const rows = shown.recording.stateAt(event);
  const mine = rows.filter((row) => isMine(row, shown.recording, event));
  const others = rows.filter((row) => !mine.includes(row));
  return (
    <div class="state">
      {mine.map((row) => <StateRow row={row} mine shown={shown} />)}
      {others.slice(0, most).map((row) => <StateRow row={row} mine={false} shown={shown} />)}
      {others.length > most && <p class="none">and {others.length - most} more</p>}
    </div>
  );
}
