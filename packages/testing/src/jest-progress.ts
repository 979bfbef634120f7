import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { recordDurations } from './durations.ts';
import { isUnit } from './tiers.ts';
import { peakMemoryOfChildren } from './worker-memory.ts';

const EVERY_MS = 60_000;
const SLOWEST = 10;
/** If a file has run for this time, the progress lines name it, so that a reader sees which file hangs. */
const LONG_MS = 3 * 60_000;
/** If a file has run for this time, the run ends with an error, because the file hangs. */
const ENDLESS_MS = 15 * 60_000;

/** The part that this reporter reads of jest's result for one test file. */
interface FileResult {
  testFilePath: string;
  /** The message of the failed tests; null if no test failed. */
  failureMessage?: string | null;
  perfStats: { runtime: number };
}

interface RunResult {
  numTotalTestSuites: number;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
}

interface Timed {
  path: string;
  seconds: number;
}

/**
 * Prints a line each minute with the number of finished files, and each failure when its file ends. Lists the
 * slowest files at the end. With `RECORD_DURATIONS=1`, records the durations of all files.
 */
export default class Progress {
  readonly #rootDir: string;
  readonly #startedAt = performance.now();
  readonly #files: Timed[] = [];
  readonly #startOf = new Map<string, number>();
  #ticking: NodeJS.Timeout | undefined;
  #total = 0;
  #failed = 0;
  #mostMegabytes = 0;
  /** The running test files that start no server; null when all of these files have ended. */
  #units: Set<string> | null = new Set();
  #unitsHaveBegun = false;
  #unitsAreAllBegun = false;

  constructor({ rootDir }: { rootDir: string }) {
    this.#rootDir = rootDir;
  }

  onRunStart({ numTotalTestSuites }: RunResult): void {
    this.#total = numTotalTestSuites;
    this.#ticking = setInterval(() => this.#sayHowFar(), EVERY_MS);
    this.#ticking.unref();
  }

  onTestFileStart({ path }: { path: string }): void {
    if (existsSync(path) && isUnit(path, readFileSync(path, 'utf8'))) this.#units?.add(path);
    // Jest starts the test files that use no server first. When a file that uses servers starts, all files
    // without servers have begun.
    else this.#unitsAreAllBegun = this.#unitsHaveBegun;
    this.#unitsHaveBegun ||= this.#units !== null && this.#units.size > 0;
    this.#startOf.set(relative(this.#rootDir, path), performance.now());
  }

  onTestResult(_test: unknown, result: FileResult): void {
    const path = relative(this.#rootDir, result.testFilePath);
    this.#startOf.delete(path);
    this.#mostMegabytes = Math.max(this.#mostMegabytes, peakMemoryOfChildren('jest-worker') ?? 0);
    this.#files.push({ path, seconds: result.perfStats.runtime / 1000 });
    if (result.failureMessage) {
      this.#failed += 1;
      say(`FAIL ${path}\n${result.failureMessage}`);
    }
    this.#units?.delete(result.testFilePath);
    if (this.#units?.size === 0 && this.#unitsAreAllBegun) this.#answerFirst();
  }

  /**
   * Prints a result when the last test file that starts no server has ended. The other files take much
   * longer.
   */
  #answerFirst(): void {
    this.#units = null;
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    say(`${this.#files.length} files without a server are done after ${seconds} s, ${this.#failed} failed`);
  }

  onRunComplete(_contexts: unknown, result: RunResult): void {
    clearInterval(this.#ticking);
    if (process.env.RECORD_DURATIONS === '1') recordDurations(this.#files);
    const slowest = [...this.#files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
    say(`The slowest of ${this.#files.length} files:\n${lines.join('\n')}`);
    if (this.#mostMegabytes > 0) say(`Memory of a worker: ${this.#mostMegabytes} MB at most`);
    const { numPassedTests, numFailedTests, numPendingTests } = result;
    say(`Tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  }

  #runningFor(ms: number): string[] {
    const running = [...this.#startOf].filter(([, startedAt]) => performance.now() - startedAt >= ms);
    return running.map(([path]) => path);
  }

  #sayHowFar(): void {
    const minutes = Math.round((performance.now() - this.#startedAt) / EVERY_MS);
    const done = this.#files.length;
    const long = this.#runningFor(LONG_MS);
    const runs = long.length > 0 ? `; ${long.join(', ')} runs` : '';
    say(`${minutes} min: ${done} files done, ${this.#total - done} left, ${this.#failed} failed${runs}`);
    const endless = this.#runningFor(ENDLESS_MS);
    if (endless.length === 0) return;
    say(`FAIL ${endless.join(', ')}: no end after 15 minutes`);
    process.exit(1);
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
