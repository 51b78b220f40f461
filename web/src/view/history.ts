// The mechanism's state at any event, of a recording that keeps what changes.
import { lastAtMost } from "./column.ts";

export interface Changes {
  event: ArrayLike<number>;
  place: ArrayLike<number>;
  row: ArrayLike<number>; // 0: the list ends before this place; else a row, and one
}

class Track {
  readonly events: number[] = [];
  readonly values: number[] = [];

  add(event: number, value: number): void {
    this.events.push(event);
    this.values.push(value);
  }
  at(event: number): number {
    const found = lastAtMost(this.events, event);
    return found < 0 ? 0 : this.values[found]!;
  }
}

// Of one block: how many rows it has, and what stands at each place.
export class BlockHistory {
  private readonly lengths = new Track();
  private readonly places: Track[] = [];

  constructor(changes: Changes, ofBlock: number[]) {
    let length = 0;
    for (const i of ofBlock) {
      const event = changes.event[i]!, place = changes.place[i]!, row = changes.row[i]!;
      const now = row === 0 ? place : Math.max(length, place + 1);
      if (now !== length) this.lengths.add(event, (length = now));
      if (row > 0) (this.places[place] ??= new Track()).add(event, row - 1);
    }
  }
  // The numbers of the rows.
  rowsAt(event: number): number[] {
    return Array.from({ length: this.lengths.at(event) }, (_, place) => this.places[place]!.at(event));
  }
}
