// Columns of numbers as heddle packs them (docs/json.md, "Columns").

export type Packed = string | [first: number, step: number, count: number];

export function unpack(packed: Packed, count: number): Float64Array {
  const numbers = new Float64Array(count);
  if (typeof packed !== "string") {
    for (let i = 0; i < count; ++i) numbers[i] = packed[0] + i * packed[1];
    return numbers;
  }
  const bytes = atob(packed);
  let at = 0, value = 0;
  for (let i = 0; i < count; ++i) {
    let zigzag = 0, scale = 1;
    for (let more = true; more; scale *= 128) {
      const byte = bytes.charCodeAt(at++);
      zigzag += (byte & 127) * scale;
      more = byte > 127;
    }
    value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    numbers[i] = value;
  }
  return numbers;
}

// The place of the last number that is not above `limit`, of ascending ones; -1: all are above.
export function lastAtMost(numbers: ArrayLike<number>, limit: number): number {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
