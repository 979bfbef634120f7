import { writeFileSync } from 'node:fs';

/** Jest's argument to a reporter, as far as this one reads it. */
interface RunResult {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not run, of whose tests nothing is known. */
  numRuntimeErrorTestSuites: number;
}

/** Writes how many tests passed and failed to TALLY_FILE, in silence, unlike `--json`. */
export default class Tally {
  onRunComplete(_contexts: unknown, result: RunResult): void {
    if (!process.env.TALLY_FILE) return;
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    writeFileSync(process.env.TALLY_FILE, JSON.stringify({ passed: result.numPassedTests, failed }));
  }
}
