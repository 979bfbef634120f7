import { printed } from './report.ts';
import { type Benchmark, type Measured, type RunOptions, runBenchmarks } from './run.ts';

interface Command<P> extends RunOptions<P> {
  benchmarks: readonly Benchmark<P>[];
  /** Whether to write the figures of benchmarks chosen by name, too. */
  isSaved?: boolean;
  /** Writes the figures of a run in which every benchmark succeeded. */
  write(measured: readonly Measured[]): Promise<void>;
}

/** Runs the named benchmarks, or all if none is named. Returns the exit code. */
export async function runCommand<P>(names: readonly string[], command: Command<P>): Promise<number> {
  const { benchmarks, say, write, isSaved = false } = command;
  const available = benchmarks.map(({ name }) => name);
  const unknown = names.filter((name) => !available.includes(name));
  if (unknown.length > 0) {
    say(`There is no benchmark ${unknown.join(', ')}. There are: ${available.join(', ')}`);
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
