// Means of what there is; null of nothing.

export type Value = number | null;

export const sum = (values: Iterable<number>) => [...values].reduce((all, each) => all + each, 0);

export const mean = (values: number[]): Value => (values.length === 0 ? null : sum(values) / values.length);

export const harmonicMean = (values: number[]): Value =>
  values.length === 0 ? null : values.length / sum(values.map((value) => 1 / value));

export const over = (part: number, whole: number) => (whole > 0 ? part / whole : 0);

export const unique = <Type>(values: Iterable<Type>): Type[] => [...new Set(values)];
export const present = (values: Value[]): number[] => values.filter((value) => value !== null);
