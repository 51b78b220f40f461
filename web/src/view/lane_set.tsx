// Sets of threads as strips of lanes, a row for each static warp that has some.
import { lanesOf } from "./recording.ts";

export interface Run {
  row: number;
  from: number;
  lanes: number;
}

// Neighbouring lanes as one.
export function runsOf(words: number[], width: number): Run[] {
  const runs: Run[] = [];
  words.forEach((word, row) => {
    for (let lane = 0; lane < width; ++lane) {
      if (((word >>> lane) & 1) === 0) continue;
      const last = runs[runs.length - 1];
      if (last && last.row === row && last.from + last.lanes === lane) ++last.lanes;
      else runs.push({ row, from: lane, lanes: 1 });
    }
  });
  return runs;
}

interface LaneSetProps {
  set: string;
  among?: string; // a larger set, drawn pale behind it
  width: number;
  colour: string;
  cell?: number; // pixels
}

export function LaneSet({ set, among, width, colour, cell = 5 }: LaneSetProps) {
  const words = lanesOf(set), all = among === undefined ? [] : lanesOf(among);
  const rows = Math.max(words.length, all.length, 1), height = rows > 1 ? 5 : 10;
  const rects = (runs: Run[], opacity: number) =>
    runs.map((run) => (
      <rect x={run.from * cell} y={run.row * (height + 1)} width={run.lanes * cell - 0.6} height={height} fill={colour} opacity={opacity} />
    ));
  const count = words.reduce((sum, word) => sum + bits(word), 0);
  return (
    <svg class="lanes" width={width * cell} height={rows * (height + 1)} role="img" aria-label={`${count} threads: ${set}`}>
      <title>{`${count} threads: ${set}`}</title>
      {Array.from({ length: rows }, (_, row) => (
        <rect x={0} y={row * (height + 1)} width={width * cell - 0.6} height={height} class="empty" />
      ))}
      {rects(runsOf(all, width), 0.35)}
      {rects(runsOf(words, width), 1)}
    </svg>
  );
}

export function bits(word: number): number {
  let count = 0;
  for (let rest = word >>> 0; rest !== 0; rest &= rest - 1) ++count;
  return count;
}
