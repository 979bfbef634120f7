import { printed } from './report.ts';
import { type Benchmark, type Measured, type RunOptions, runBenchmarks } from './run.ts';

interface Command<P> extends RunOptions<P> {
  benchmarks: readonly Benchmark<P>[];
  /**
   * True if the figures are written even when the command names single benchmarks. Without names, all
   * benchmarks run and the figures are always written.
   */
  isSaved?: boolean;
  /** Writes the figures. It is called only if every benchmark of the run has succeeded. */
  write(measured: readonly Measured[]): Promise<void>;
}

/**
 * Runs the benchmarks with the given names. An empty list of names means all benchmarks. Returns the exit
 * code of the process.
 */
export async function runCommand<P>(names: readonly string[], command: Command<P>): Promise<number> {
  const { benchmarks, say, write, isSaved = false } = command;
  const available = benchmarks.map(({ name }) => name);
  const unknown = names.filter((name) => !available.includes(name));
  if (unknown.length > 0) {
    say(`There is no benchmark ${unknown.join(', ')}. The benchmarks: ${available.join(', ')}`);
    return 2;
  }
  const isWhole = names.length === 0;
  const chosen = benchmarks.filter(({ name }) => isWhole || names.includes(name));
  const done = (one: Measured) => say(`${printed(one)}\n`);
  const { measured, failed } = await runBenchmarks(chosen, { ...command, done });
  if (failed.length > 0) {
    say(`Failed: ${failed.join(', ')}`);
    return 1;
  }
  if (isWhole || isSaved) await write(measured);
  return 0;
}
