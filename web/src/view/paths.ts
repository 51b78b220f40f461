// Colours of paths: a basic block has a hue of its own, neighbours ones that are far apart, all equally light, so that
// white numbers can be read on any of them.
import { lastAtMost } from "./column.ts";
import type { KernelText } from "./data.ts";

// Of a hue in degrees, in the OKLCh space, as #rrggbb: pictures for slides are read by programs that know no other.
export function hueColour(hue: number, lightness: number): string {
  const angle = (hue * Math.PI) / 180, a = 0.135 * Math.cos(angle), b = 0.135 * Math.sin(angle);
  const [l, m, s] = [
    lightness + 0.3963377774 * a + 0.2158037573 * b, lightness - 0.1055613458 * a - 0.0638541728 * b, lightness - 0.0894841775 * a - 1.291485548 * b,
  ].map((root) => root ** 3) as [number, number, number];
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const byte = (value: number) => {
    const gamma = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.max(0, Math.min(1, gamma))).toString(16).padStart(2, "0");
  };
  return `#${linear.map(byte).join("")}`;
}

export class Paths {
  private readonly begins: number[];
  private readonly ofBlock: string[];

  constructor(readonly kernel: KernelText) {
    this.begins = kernel.blocks.map(([pc]) => pc);
    this.ofBlock = this.begins.map((_, i) => hueColour((i * 137.508 + 245) % 360, 0.6 - (i % 2) * 0.05));
  }
  blockAt(pc: number): number {
    return lastAtMost(this.begins, pc);
  }
  colour(pc: number): string {
    return this.ofBlock[this.blockAt(pc)] ?? "#888";
  }
  // "LOW", or "B3" where the block has no label.
  name(block: number): string {
    return this.kernel.blocks[block]?.[1] || `B${block}`;
  }
}
