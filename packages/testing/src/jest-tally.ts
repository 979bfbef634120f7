import { writeFileSync } from 'node:fs';

/** The fields that this reporter reads of jest's result for a run. */
interface RunResult {
  numPassedTests: number;
  numFailedTests: number;
  /** The number of files that could not run. Their tests are in no other count. */
  numRuntimeErrorTestSuites: number;
}

/** Writes the numbers of passed and failed tests to the file TALLY_FILE, and prints nothing. */
export default class Tally {
  onRunComplete(_contexts: unknown, result: RunResult): void {
    if (!process.env.TALLY_FILE) return;
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    writeFileSync(process.env.TALLY_FILE, JSON.stringify({ passed: result.numPassedTests, failed }));
  }
}
