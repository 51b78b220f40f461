// A recording, unpacked: columns of events by their number, threads by lane, the state at any event.
import { unpack } from "./column.ts";
import type { Launch, PackedRecording } from "./data.ts";
import { Clockwork } from "./clockwork.ts";
import { BlockHistory, type Changes } from "./history.ts";

export interface Field {
  name: string;
  kind: "number" | "code" | "threads" | "text";
  value: number | string; // threads: "f.0.3", hexadecimal lanes of each static warp
}
export interface Entry {
  word: string;
  fields: Field[];
}
export interface Row {
  what: string;
  number: number;
  entries: Entry[];
}

export const diverged = 2, merged = 4, beside = 1; // in flags

let made = 0;

export class Recording {
  readonly id = ++made;
  readonly manyCores: boolean;
  readonly count: number;
  readonly width: number; // lanes
  readonly timed: boolean;
  readonly launches: Launch[];
  readonly launch: Uint32Array;
  readonly slot: Float64Array;
  readonly cycle: Float64Array;
  readonly core: Uint32Array;
  readonly block: Float64Array;
  readonly warp: Uint32Array;
  readonly pc: Uint32Array;
  readonly lanes: Uint32Array;
  readonly flags: Uint8Array;
  readonly active: Uint8Array; // threads
  readonly progress: Float64Array; // thread instructions of the launch up to and with this event
  readonly clockwork: Clockwork;
  private readonly threads: Int32Array;
  private readonly phantoms: Uint32Array;
  private readonly changes: Changes;
  private readonly ofBlocks = new Map<string, number[]>(); // numbers of changes
  private readonly histories = new Map<string, BlockHistory>();
  private readonly rows = new Map<number, Row>();

  constructor(readonly packed: PackedRecording) {
    const { events, lanes, changes, count } = packed;
    this.count = count;
    this.width = packed.warp_size;
    this.timed = packed.timed;
    this.launches = packed.launches;
    const whole = (name: keyof typeof events) => Uint32Array.from(unpack(events[name], count));
    this.launch = whole("launch");
    this.slot = unpack(events.slot, count);
    this.cycle = unpack(events.cycle, count);
    this.core = whole("core");
    this.manyCores = this.core.some((core) => core !== this.core[0]);
    this.block = unpack(events.block, count);
    this.warp = whole("warp");
    this.pc = whole("pc");
    this.lanes = whole("lanes");
    this.flags = Uint8Array.from(unpack(events.flags, count));
    this.threads = Int32Array.from(unpack(lanes.threads, lanes.count * this.width));
    this.phantoms = Uint32Array.from(unpack(lanes.phantom, lanes.count));
    this.clockwork = new Clockwork(packed);
    this.changes = {
      event: Uint32Array.from(unpack(changes.event, changes.count)),
      place: Uint32Array.from(unpack(changes.place, changes.count)),
      row: Uint32Array.from(unpack(changes.row, changes.count)),
    };
    this.active = new Uint8Array(count);
    this.progress = new Float64Array(count);
    this.sumUp();
    for (let i = 0; i < changes.count; ++i) this.changesOf(this.changes.event[i]!).push(i);
  }

  // The thread in a lane, numbered within its block; -1: none.
  thread(event: number, lane: number): number {
    return this.threads[this.lanes[event]! * this.width + lane]! - 1;
  }
  threadsOf(event: number): number[] {
    return Array.from({ length: this.width }, (_, lane) => this.thread(event, lane));
  }
  // Threads that are charged and do nothing; null: the slot is executed.
  phantom(event: number): number | null {
    const phantom = this.phantoms[this.lanes[event]!]!;
    return phantom === 0 ? null : phantom - 1;
  }
  // The state in which the mechanism hands the event's slot out: of the event's block.
  stateAt(event: number): Row[] {
    const key = this.key(event);
    let history = this.histories.get(key);
    if (!history) this.histories.set(key, (history = new BlockHistory(this.changes, this.changesOf(event))));
    return history.rowsAt(event).map((number) => this.row(number));
  }
  kernelOf(event: number): number {
    return this.launches[this.launch[event]!]!.kernel;
  }

  private sumUp(): void {
    const ofLanes = new Uint8Array(this.phantoms.length);
    for (let i = 0; i < this.threads.length; ++i) if (this.threads[i]! > 0) ++ofLanes[Math.floor(i / this.width)]!;
    for (let i = 0, sum = 0; i < this.count; ++i) {
      this.active[i] = ofLanes[this.lanes[i]!]!;
      sum = (i > 0 && this.launch[i] === this.launch[i - 1] ? sum : 0) + this.active[i]!;
      this.progress[i] = sum;
    }
  }
  private key(event: number): string {
    return `${this.launch[event]}:${this.block[event]}`;
  }
  private changesOf(event: number): number[] {
    const key = this.key(event);
    let list = this.ofBlocks.get(key);
    if (!list) this.ofBlocks.set(key, (list = []));
    return list;
  }
  private row(number: number): Row {
    let row = this.rows.get(number);
    if (row) return row;
    const [what, ofWhat, ...entries] = this.packed.rows[number]!;
    row = { what, number: ofWhat, entries: entries.map((entry) => this.entry(entry)) };
    this.rows.set(number, row);
    return row;
  }
  private entry(number: number): Entry {
    const [shape, ...values] = this.packed.entries[number]!;
    const [word, ...fields] = this.packed.shapes[shape]!;
    const value = (kind: string, i: number) => (kind === "threads" ? this.packed.sets[Number(values[i])]! : values[i]!);
    return { word, fields: fields.map(([name, kind], i) => ({ name, kind, value: value(kind, i) })) };
  }
}

// Lanes of each static warp in "f.0.3".
export const lanesOf = (set: string): number[] => (set === "" ? [] : set.split(".").map((word) => parseInt(word, 16)));
