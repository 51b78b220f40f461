// What is looked at: example, mechanisms, focus, alignment; and the buttons that move.
import type { ComponentChildren } from "preact";
import type { Example, View } from "./data.ts";
import { choices, type Focus, parts } from "./focus.ts";
import type { Action } from "./keys.ts";
import type { Library, Settings } from "./player.ts";

type Change = (change: Partial<Settings>) => void;

interface Choice {
  value: string | number;
  text: string;
  disabled?: boolean;
}

function Choose({ label, value, options, onChange }: { label: string; value: string | number; options: Choice[]; onChange: (value: string) => void }) {
  return (
    <label>
      <span>{label}</span>
      <select value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => <option value={String(option.value)} disabled={option.disabled}>{option.text}</option>)}
      </select>
    </label>
  );
}

const recordingText = (example: Example, i: number) => {
  const { mechanism, outcome, count } = example.recordings[i]!;
  return outcome === "passed" || outcome === "ran" ? mechanism : `${mechanism} (${count === 0 ? outcome : `${outcome}!`})`;
};

interface WhatProps {
  library: Library;
  settings: Settings;
  change: Change;
  open: (example: number) => void;
}

export function What({ library, settings, change, open }: WhatProps) {
  const example = library.example(settings.example), { view } = library;
  const runs = example.recordings.map((recording, i) => ({ value: i, text: recordingText(example, i), disabled: recording.count === 0 }));
  const timed = example.recordings.some((recording) => recording.timed);
  return (
    <div class="what">
      {view.examples.length > 1 && <Choose label="example" value={settings.example} options={view.examples.map((each, i) => ({ value: i, text: each.title }))} onChange={(value) => open(Number(value))} />}
      <Choose label="mechanism" value={settings.a} options={runs} onChange={(value) => change({ a: Number(value), b: Number(value) === settings.b ? -1 : settings.b })} />
      {runs.length > 1 && <Choose label="beside it" value={settings.b} options={[{ value: -1, text: "none" }, ...runs.filter(({ value }) => value !== settings.a)]} onChange={(value) => change({ b: Number(value) })} />}
      {settings.b >= 0 && <Choose label="aligned by" value={settings.align} options={[{ value: "slot", text: "slot" }, { value: "progress", text: "progress" }, ...(timed ? [{ value: "cycle", text: "cycle" }] : [])]} onChange={(value) => change({ align: value as Settings["align"] })} />}
      {timed && <Choose label="strip by" value={settings.axis} options={[{ value: "slot", text: "slots" }, { value: "cycle", text: "cycles" }]} onChange={(value) => change({ axis: value as Settings["axis"] })} />}
      <FocusChoice library={library} settings={settings} change={change} />
    </div>
  );
}

const few = 400; // values that a list still shows

function FocusChoice({ library, settings, change }: Omit<WhatProps, "open">) {
  const recording = library.recording(settings.example, settings.a), { kernels } = library.example(settings.example);
  const text = (part: keyof Focus, value: number) => part === "launch" ? `${value}: ${kernels[recording.launches[value]!.kernel]!.name}` : String(value);
  return (
    <>
      {parts.map((part) => {
        const values = choices(recording, settings.focus, part);
        if (values.length < 2 && settings.focus[part] === null) return null;
        const options = values.slice(0, few).map((value) => ({ value, text: text(part, value) }));
        return <Choose label={part} value={settings.focus[part] ?? -1} options={[{ value: -1, text: "all" }, ...options]}
          onChange={(value) => change({ focus: { ...settings.focus, [part]: Number(value) < 0 ? null : Number(value) } })} />;
      })}
    </>
  );
}

interface MoveProps {
  act: (action: Action) => void;
  playing: boolean;
  children: ComponentChildren;
}

export function Moves({ act, playing, children }: MoveProps) {
  const button = (action: Action, text: string, title: string) => (
    <button type="button" data-action={action} title={title} aria-label={title} onClick={() => act(action)}>{text}</button>
  );
  return (
    <div class="moves" role="toolbar" aria-label="moves">
      {button("first", "|◀", "first slot (Home)")}
      {button("merge-back", "⟨ merge", "the merge before (Shift m)")}
      {button("divergence-back", "⟨ divergence", "the divergence before (Shift d)")}
      {button("previous", "◀", "slot before (←)")}
      {button("play", playing ? "stop" : "play", "play (Space)")}
      {button("next", "▶", "next slot (→)")}
      {button("divergence", "divergence ⟩", "next divergence (d)")}
      {button("merge", "merge ⟩", "next merge (m)")}
      {button("last", "▶|", "last slot (End)")}
      <span class="where" aria-live="off">{children}</span>
      {button("zoom-out", "−", "narrower slots (−)")}
      {button("zoom-in", "+", "wider slots (+)")}
      {button("svg", "SVG", "this moment as an SVG file (s)")}
      {button("help", "?", "keys (?)")}
    </div>
  );
}

export const summaryOf = (view: View, mechanism: string) => view.mechanisms.find((each) => each.name === mechanism)?.summary ?? "";
