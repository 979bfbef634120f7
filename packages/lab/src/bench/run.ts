import { loadavg } from 'node:os';
import { inspect } from 'node:util';
import type { LogTail } from '@plataforma/local';
import type { Figures } from './figures.ts';

export interface Owner {
  /**
   * Registers a function that runs when this owner, such as a benchmark, ends. The functions run in reverse
   * order, even after a failure.
   */
  defer(close: () => unknown): void;
}

/** The resources of one benchmark, which are all closed when the benchmark ends. */
export interface Workbench<P> extends Owner {
  /**
   * Returns the benchmark's own platform. The first call starts the platform, and the platform stops after
   * all other resources are closed.
   */
  platform(): Promise<P>;
  say(text: string): void;
  /** Returns the last log lines of the platform's services and servers. */
  lastWords(): string;
}

export interface Benchmark<P> {
  name: string;
  measure(bench: Workbench<P>): Promise<Figures>;
}

export interface Opened<P> {
  platform: P;
  logs(): LogTail[];
  stop(): Promise<void>;
}

export interface RunOptions<P> {
  open(): Promise<Opened<P>>;
  say(text: string): void;
  limitMs?: number;
}

export interface Measured {
  name: string;
  figures: Figures;
  /** The machine's load average over the minute before the benchmark. */
  load: number;
}

export interface Outcome {
  measured: Measured[];
  failed: string[];
}

/** The time limit of a benchmark, which is several times the longest duration on two busy cores. */
const LIMIT_MS = 1_200_000;

/**
 * Runs the benchmarks one after the other, each on a platform of its own. After a failure it prints the error
 * and continues with the next benchmark.
 */
export async function runBenchmarks<P>(
  benchmarks: readonly Benchmark<P>[],
  options: RunOptions<P> & { done(measured: Measured): void },
): Promise<Outcome> {
  const outcome: Outcome = { measured: [], failed: [] };
  const unhandled = watchUnhandledErrors(options.say);
  for (const benchmark of benchmarks) {
    const [load = Number.NaN] = loadavg();
    const figures = await runOne(benchmark, { ...options, unhandled });
    if (!figures) {
      outcome.failed.push(benchmark.name);
      continue;
    }
    const measured = { name: benchmark.name, figures, load };
    outcome.measured.push(measured);
    options.done(measured);
  }
  unhandled.stop();
  return outcome;
}

type Run<P> = RunOptions<P> & { unhandled: UnhandledErrors };

async function runOne<P>(
  benchmark: Benchmark<P>,
  { open, say, limitMs = LIMIT_MS, unhandled }: Run<P>,
): Promise<Figures | null> {
  const bench = openWorkbench(open, say);
  const failWith = (error: unknown) => {
    say(`${benchmark.name} failed: ${inspect(error)}`);
    say(bench.lastWords());
    return null;
  };
  const limit = timeLimit(limitMs);
  const measure = async () => benchmark.measure(bench);
  const measuring = Promise.race([measure(), limit.over]);
  const figures = await unhandled.during(measuring).catch(failWith);
  limit.clear();
  try {
    await bench.close();
    return figures;
  } catch (error) {
    return failWith(error);
  }
}

function openWorkbench<P>(open: () => Promise<Opened<P>>, say: (text: string) => void) {
  const closers = new AsyncDisposableStack();
  let opening: Promise<Opened<P>> | undefined;
  let opened: Opened<P> | undefined;
  return {
    async platform() {
      opening ??= open();
      opened = await opening;
      return opened.platform;
    },
    defer: (close: () => unknown) => closers.defer(async () => void (await close())),
    say,
    lastWords: () =>
      (opened?.logs() ?? [])
        .map(({ name, lines }) => `  end of the log of ${name}\n    ${lines.join('\n    ')}`)
        .join('\n'),
    async close() {
      // If the platform failed to start, it has already stopped and reported its error.
      const started = await opening?.catch(() => undefined);
      await closers.disposeAsync().finally(() => started?.stop());
    },
  };
}

function timeLimit(ms: number) {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not done after ${ms / 1000} s`)), ms);
  return { over, clear: () => clearTimeout(timer) };
}

interface UnhandledErrors {
  /** Returns the result of `work`. Rejects if an error that no code handles occurs while `work` runs. */
  during<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/**
 * Catches errors that no code handles. Otherwise such an error would end the process, and the next benchmarks
 * would not run.
 */
function watchUnhandledErrors(say: (text: string) => void): UnhandledErrors {
  const mention = (error: unknown) => say(`An error after a benchmark had ended: ${inspect(error)}`);
  let take: (error: unknown) => void = mention;
  const listener = (error: unknown) => take(error);
  process.on('uncaughtException', listener);
  return {
    during(work) {
      const { promise, reject } = Promise.withResolvers<never>();
      take = reject;
      return Promise.race([work, promise]).finally(() => {
        take = mention;
      });
    },
    stop: () => void process.off('uncaughtException', listener),
  };
}
