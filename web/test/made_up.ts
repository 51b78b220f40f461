// Results for the tests, as heddle would have put them into a page.
import type { Results, Run, Total } from "../src/shared/data.ts";

type Given = Omit<Partial<Run>, "total"> & { total?: Partial<Total> };

export function runOf(program: string, mechanism: string, ipc: number, given: Given = {}): Run {
  const config = given.config ?? { warp_size: 32 };
  return {
    program, mechanism, size: "small", preset: "tbc-hpca11", fidelity: "cycle", exit_code: 0, outcome: "passed", error: null,
    options: [["--size", "small"], ["--preset", "tbc-hpca11"], ...Object.entries(config)
      .filter(([key, value]) => key !== "warp_size" || value !== 32).map(([key, value]): [string, string] => ["--set", `${key}=${value}`])],
    ...given,
    config,
    total: {
      ipc, simd_efficiency: 0.5, issue_slots: 100, idle_cycles: 10, state_bits_per_warp: 64, active_threads: [1],
      breakdown: { "W1-4": 30, Stall: 60, W0_Idle: 10 }, ...given.total,
    },
  };
}

export const resultsOf = (runs: Run[], given: Partial<Results> = {}): Results => ({
  command: "heddle report", of_folder: false, mechanisms: ["pdom", "tbc", "capri"], runs, profiles: [], sweeps: [], reproductions: [], validations: [],
  not_read: [], ...given,
});
