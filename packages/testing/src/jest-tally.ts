import { writeFileSync } from 'node:fs';

/** The fields of jest's run result that this reporter reads. */
interface RunResult {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not run, so that their tests are not counted. */
  numRuntimeErrorTestSuites: number;
}

/** Writes the counts of passed and failed tests to TALLY_FILE, without output. */
export default class Tally {
  onRunComplete(_contexts: unknown, result: RunResult): void {
    if (!process.env.TALLY_FILE) return;
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    writeFileSync(process.env.TALLY_FILE, JSON.stringify({ passed: result.numPassedTests, failed }));
  }
}
