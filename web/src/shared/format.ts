// Numbers as text, as the tables of the terminal have them.

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
export const ratio = (value: number) => value.toFixed(3);
export const times = (value: number) => `${value.toFixed(2)} x`;
export const grouped = (count: number) => Math.round(count).toLocaleString("en-US");

// 1.22 is +22.0 %.
export function change(value: number): string {
  const text = (100 * (value - 1)).toFixed(1);
  return `${text.startsWith("-") ? "" : "+"}${text} %`;
}

export const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
export const orDash = (value: number | null, text: (value: number) => string) => (value === null ? "–" : text(value));
