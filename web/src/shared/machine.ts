// The machine of a run: the options that choose it again, as words of a command and as a heading.
import type { Option, Run } from "./data.ts";

const isOf = (key: string) => ([name, value]: Option) => name === "--set" && value.startsWith(`${key}=`);

// Without one key, if it is named (for curves over it).
export const machineOptions = (run: Run, without?: string): Option[] =>
  without === undefined ? run.options : run.options.filter((option) => !isOf(without)(option));

export const wordsOf = (options: Option[]) => options.flat().filter((word) => word !== "").join(" ");

function titleWord([name, value]: Option): string {
  if (name === "--set") return value;
  return value === "" ? name.slice(2) : `${name.slice(2)} ${value}`;
}

// "tbc-hpca11, small, cores=8, lanes balanced"
export function titleOf(options: Option[]): string {
  const value = (wanted: string) => options.filter(([name]) => name === wanted).map(([, each]) => each);
  const others = options.filter(([name]) => name !== "--preset" && name !== "--size").map(titleWord);
  return [...value("--preset"), ...value("--size"), ...others].join(", ");
}
