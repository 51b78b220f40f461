// A chart without the series that a reader has switched off.
import type { Chart } from "./chart.ts";

export function visible(chart: Chart, hidden: Set<string>): Chart {
  const kept = chart.series.map((_, i) => i).filter((i) => !hidden.has(chart.series[i].name));
  return {
    ...chart, series: kept.map((i) => chart.series[i]),
    data: chart.data.filter(({ series }) => kept.includes(series)).map((datum) => ({ ...datum, series: kept.indexOf(datum.series) })),
  };
}
