// The viewer: strips above, below them source, code and the mechanism's state at this moment.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { mechanismColour } from "../shared/colours.ts";
import { grouped } from "../shared/format.ts";
import { aligned } from "./align.ts";
import { caretsAt } from "./carets.ts";
import type { PackedRecording } from "./data.ts";
import { everything, marksOf, type Selection } from "./focus.ts";
import { Help } from "./help.tsx";
import { type Action, actionOf } from "./keys.ts";
import { linkTo } from "./link.ts";
import { CodePane, SourcePane } from "./listing.tsx";
import { Overview } from "./overview.tsx";
import { fromLink, type Library, momentOf, placeOfB, refocused, type Settings, start, zooms } from "./player.ts";
import type { Recording } from "./recording.ts";
import { StatePane } from "./state_pane.tsx";
import { Strip } from "./strip.tsx";
import { svgOf } from "./svg.ts";
import { Moves, summaryOf, What } from "./toolbar.tsx";

const whole = 40; // events that a strip shows all at once: no line above it

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
const stripWidth = () => Math.min(innerWidth, 1600) - 40;

function download(name: string, text: string): void {
  const link = document.createElement("a"), address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function noteOf(packed: PackedRecording): string | null {
  if (packed.error !== null) return packed.error;
  if (packed.slots > packed.count)
    return `These are the first ${grouped(packed.count)} of ${grouped(packed.slots)} issue slots. --kernel, --trace-block, --trace-warp and --trace-slots choose others, --events shows more.`;
  return packed.launches_beside > 0 ? `${packed.launches_beside} launches of other processes that ran at the same time are not shown.` : null;
}

// One mechanism: its name, the whole of it on a line, and the strip around the moment.
function Track({ library, settings, selection, place, recording, goTo, zoomBy }: {
  library: Library; settings: Settings; selection: Selection; place: number; recording: number; goTo: (place: number) => void; zoomBy: (steps: number) => void;
}) {
  const { view } = library, packed = library.example(settings.example).recordings[recording]!;
  const colour = mechanismColour(packed.mechanism), note = noteOf(packed);
  const event = selection.events[place];
  return (
    <section class="track" data-mechanism={packed.mechanism} data-slot={event === undefined ? "" : selection.recording.slot[event]}>
      <h2><span class="key" style={{ background: `var(--${colour})` }} />{packed.mechanism} <small>{summaryOf(view, packed.mechanism)}</small>
        <span class="where">{event === undefined ? "nothing in focus" : momentText(selection, place)}</span></h2>
      {event !== undefined && packed.timed && <p class="where waited">{waitText(selection, place, library.example(settings.example).kernels[selection.recording.kernelOf(event)]!.code)}</p>}
      {note !== null && <p class={packed.error === null ? "notice" : "notice fails"}>{note}</p>}
      {selection.length > whole && <Overview name={packed.mechanism} selection={selection} place={place} colour={colour} goTo={goTo} />}
      <Strip name={packed.mechanism} selection={selection} paths={library.pathsOf(settings.example)} place={place} zoom={settings.zoom} axis={settings.axis} goTo={goTo} zoomBy={zoomBy} />
    </section>
  );
}

// What its core waited for before the slot.
function waitText(selection: Selection, place: number, code: string[]): string {
  const { recording } = selection, event = selection.events[place];
  if (event === undefined || !recording.timed) return "";
  const waits = recording.clockwork.waitsBefore(recording.launch[event]!, recording.core[event]!, recording.cycle[event]!);
  if (waits.length === 0) return "";
  return "Before it, " + waits.map((wait) => {
    const what = wait.pc >= 0 ? ` (${wait.pc}: ${code[wait.pc]})` : "";
    return `${wait.cycles} ${wait.cycles === 1 ? "cycle" : "cycles"} waited for ${recording.clockwork.causes[wait.cause]}${what}`;
  }).join(", ") + ".";
}

// The colours of gaps.
function Waits({ causes }: { causes: string[] }) {
  return (
    <ul class="gaps">
      <li>Nothing was issued, because of:</li>
      {causes.map((cause, i) => <li><span class="key framed" style={{ background: `var(--wait${i})` }} />{cause}</li>)}
      <li>Bars: memory instructions from issue to return; thick ones missed the first-level cache.</li>
    </ul>
  );
}

function lanesText(recording: Recording, event: number): string {
  const phantom = recording.phantom(event);
  return phantom === null ? `${recording.active[event]} of ${recording.width} lanes` : `a phantom of ${phantom} threads, which does nothing`;
}

function momentText(selection: Selection, place: number): string {
  const { recording } = selection, event = selection.events[place]!;
  const words = [`slot ${recording.slot[event]}`];
  if (recording.timed) words.push(`cycle ${recording.cycle[event]}`);
  if (recording.manyCores) words.push(`core ${recording.core[event]}`);
  words.push(`block ${recording.block[event]}`, `warp ${recording.warp[event]}`, lanesText(recording, event));
  return words.join(", ");
}

export function App({ library }: { library: Library }) {
  const [settings, set] = useState<Settings>(() => fromLink(library, location.hash, stripWidth()));
  const [playing, setPlaying] = useState(false), [helping, setHelping] = useState(false), [asked, setAsked] = useState(-1);
  const example = library.example(settings.example), paths = library.pathsOf(settings.example);
  const selection = library.selection(settings.example, settings.a, settings.focus);
  const other = settings.b < 0 ? null : library.selection(settings.example, settings.b, settings.focus);
  const otherPlace = other === null ? 0 : placeOfB(library, settings);

  const goTo = useCallback((place: number) => {
    setAsked(-1);
    set((now) => ({ ...now, place: within(place, library.selection(now.example, now.a, now.focus).length) }));
  }, []);
  const change = useCallback((changed: Partial<Settings>) => set((now) => refocused(library, now, changed, stripWidth())), []);
  const open = useCallback((number: number) => set(start(library, within(number, library.view.examples.length), stripWidth())), []);
  const zoomBy = useCallback((steps: number) => set((now) => ({ ...now, zoom: zooms[within(zooms.findIndex((zoom) => zoom >= now.zoom) + steps, zooms.length)]! })), []);

  const saveSvg = () => {
    const pictured = [{ name: example.recordings[settings.a]!.mechanism, selection, place: settings.place, paths }];
    if (other !== null) pictured.push({ name: example.recordings[settings.b]!.mechanism, selection: other, place: otherPlace, paths });
    const moment = momentOf(library, settings);
    download(`${example.name.replace(/[^\w.-]+/g, "-")}-${pictured.map((each) => each.name).join("-")}-slot-${moment.slot}.svg`, svgOf(example.title, pictured.filter((each) => each.selection.length > 0)));
  };
  const focusOn = (part: "warp" | "block") => {
    const event = selection.events[settings.place];
    if (event === undefined) return;
    const { recording } = selection, one = { ...everything, launch: recording.launch[event]!, block: recording.block[event]! };
    change({ focus: settings.focus[part] !== null ? everything : part === "block" ? one : { ...one, warp: recording.warp[event]! } });
  };
  const alignments = selection.recording.timed ? (["slot", "progress", "cycle"] as const) : (["slot", "progress"] as const);
  const actions: Record<Action, () => void> = {
    next: () => goTo(settings.place + 1), previous: () => goTo(settings.place - 1),
    "page-next": () => goTo(settings.place + 10), "page-previous": () => goTo(settings.place - 10),
    first: () => goTo(0), last: () => goTo(selection.length - 1),
    divergence: () => goTo(selection.next(settings.place, marksOf.divergence)),
    "divergence-back": () => goTo(selection.previous(settings.place, marksOf.divergence)),
    merge: () => goTo(selection.next(settings.place, marksOf.merge)),
    "merge-back": () => goTo(selection.previous(settings.place, marksOf.merge)),
    play: () => setPlaying((now) => !now),
    "zoom-in": () => zoomBy(1), "zoom-out": () => zoomBy(-1),
    axis: () => selection.recording.timed && change({ axis: settings.axis === "slot" ? "cycle" : "slot" }),
    align: () => change({ align: alignments[(alignments.indexOf(settings.align as "slot") + 1) % alignments.length]! }),
    swap: () => settings.b >= 0 && set({ ...settings, a: settings.b, b: settings.a, place: otherPlace }),
    warp: () => focusOn("warp"), block: () => focusOn("block"), all: () => settings.focus !== everything && change({ focus: everything }),
    svg: saveSvg, help: () => setHelping(true),
    "example-next": () => library.view.examples.length > 1 && open(settings.example + 1),
    "example-previous": () => library.view.examples.length > 1 && open(settings.example - 1),
  };
  const act = useRef(actions);
  act.current = actions;

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const action = helping ? null : actionOf(event);
      if (action === null) return;
      event.preventDefault();
      act.current[action]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [helping]);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => act.current.next(), 160);
    return () => clearInterval(timer);
  }, [playing]);
  useEffect(() => {
    if (settings.place >= selection.length - 1) setPlaying(false);
  }, [settings.place, selection]);
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", linkTo(momentOf(library, settings))), 120);
    return () => clearTimeout(timer);
  }, [settings]);
  useEffect(() => {
    const changed = () => set(fromLink(library, location.hash, stripWidth()));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);

  const event = selection.events[settings.place], otherEvent = other?.events[otherPlace];
  const kernel = event === undefined ? 0 : selection.recording.kernelOf(event);
  const carets = useMemo(() => ({
    a: event === undefined ? [] : caretsAt(selection.recording, event),
    b: other === null || otherEvent === undefined ? null : other.recording.kernelOf(otherEvent) === kernel ? caretsAt(other.recording, otherEvent) : [],
  }), [selection, event, other, otherEvent]);
  const ofKernel = example.kernels[kernel]!, source = example.sources[ofKernel.source[carets.a[0]?.pc ?? 0] ?? -1];
  const marks = [...carets.a].filter((caret) => caret.mine).map((caret) => ({ line: ofKernel.line[caret.pc]!, colour: paths[kernel]!.colour(caret.pc), now: caret.kind === "now" })).filter((mark) => mark.line > 0);
  return (
    <>
      <header>
        <h1>{example.title}</h1>
        {example.text.split("\n\n").filter((each) => each !== "").map((paragraph) => <p class="about">{paragraph}</p>)}
        <What library={library} settings={settings} change={change} open={open} />
      </header>
      <main>
        <Moves act={(action) => actions[action]()} playing={playing}>{`${settings.place + 1} of ${selection.length}`}</Moves>
        <Track library={library} settings={settings} selection={selection} place={settings.place} recording={settings.a} goTo={goTo} zoomBy={zoomBy} />
        {other !== null && <Track library={library} settings={settings} selection={other} place={otherPlace} recording={settings.b} zoomBy={zoomBy}
          goTo={(place) => other.length > 0 && goTo(aligned(other, within(place, other.length), selection, settings.align))} />}
        {settings.axis === "cycle" && <Waits causes={selection.recording.clockwork.causes} />}
        <div class={other === null ? "panes" : "panes two"}>
          <section class="pane"><h2>{source?.file.split("/").pop() ?? "source"}</h2>{source ? <SourcePane file={source.file} lines={source.lines} marks={marks} /> : <p class="none">no source lines</p>}</section>
          <section class="pane"><h2>PTX of {ofKernel.name}{other !== null && <small> carets: {example.recordings[settings.a]!.mechanism} | {example.recordings[settings.b]!.mechanism}</small>}</h2><CodePane paths={paths[kernel]!} carets={carets} width={selection.recording.width} asked={asked} /></section>
          <section class="pane" data-state={example.recordings[settings.a]!.mechanism}><h2>state of {example.recordings[settings.a]!.mechanism}</h2>
            {event !== undefined && <StatePane recording={selection.recording} paths={paths[kernel]!} event={event} goTo={setAsked} />}</section>
          {other !== null && otherEvent !== undefined && <section class="pane" data-state={example.recordings[settings.b]!.mechanism}><h2>state of {example.recordings[settings.b]!.mechanism}</h2>
            <StatePane recording={other.recording} paths={paths[other.recording.kernelOf(otherEvent)]!} event={otherEvent} goTo={setAsked} /></section>}
        </div>
      </main>
      <footer class="soft">Made by <code>{library.view.command}</code></footer>
      {helping && <Help close={() => setHelping(false)} />}
    </>
  );
}
