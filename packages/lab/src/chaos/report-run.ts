import { isRed, type RunOptions, type RunReport } from './run.ts';

const FEW = 5;

type ReportOptions = Pick<RunOptions, 'say' | 'mutation'>;

/**
 * Executes a run and prints its findings. Returns null if the run failed with an error, so that the next runs
 * can continue.
 */
export async function reportRun<Report extends RunReport>(
  { say, mutation }: ReportOptions,
  run: () => Promise<Report>,
): Promise<Report | null> {
  try {
    const report = await run();
    const found = [...report.findings, ...report.open];
    for (const { kind, invariant, what } of mutation ? found.slice(0, FEW) : found)
      say(`${kind} (invariant ${invariant}): ${what}`);
    for (const death of report.deaths) say(death);
    if (isRed(report) && !mutation) say(`the data of the run is in ${report.dataDir}`);
    return report;
  } catch (error) {
    say(`the run failed: ${error instanceof Error ? error.stack : error}`);
    return null;
  }
}
