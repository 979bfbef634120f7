import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import Progress from '../src/jest-progress.ts';

let said: string;

beforeEach(() => {
  jest.useFakeTimers();
  said = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const totals = { numTotalTestSuites: 12, numPassedTests: 30, numFailedTests: 1, numPendingTests: 0 };
const ended = (name: string, seconds: number, failureMessage: string | null = null) => ({
  testFilePath: `/repository/packages/${name}.test.ts`,
  failureMessage,
  perfStats: { runtime: seconds * 1000 },
});

test('a run reports progress, failures and its slowest files', () => {
  const progress = new Progress({ rootDir: '/repository' });
  progress.onRunStart(totals);

  for (let number = 1; number <= 11; number += 1) progress.onTestResult({}, ended(`file-${number}`, number));
  jest.advanceTimersByTime(60_000);
  progress.onTestResult({}, ended('broken', 0.5, '● it broke'));
  jest.advanceTimersByTime(60_000);
  progress.onRunComplete({}, totals);
  jest.advanceTimersByTime(600_000);

  expect(said.split('\n')).toEqual([
    '1 min: 11 files done, 1 left, 0 failed',
    'FAIL packages/broken.test.ts',
    '● it broke',
    '2 min: 12 files done, 0 left, 1 failed',
    'The slowest of 12 files:',
    ...Array.from({ length: 10 }, (_, index) => {
      const number = 11 - index;
      return `${`${number}.0`.padStart(7)} s  packages/file-${number}.test.ts`;
    }),
    'Tests: 30 passed, 1 failed, 0 skipped',
    '',
  ]);
});

test('a file that runs fifteen minutes fails the run', () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const progress = new Progress({ rootDir: '/repository' });
  progress.onRunStart(totals);

  progress.onTestFileStart({ path: '/repository/packages/endless.test.ts' });
  jest.advanceTimersByTime(15 * 60_000);
  progress.onRunComplete({}, totals);

  expect(exit).toHaveBeenCalledWith(1);
  expect(said).toContain('FAIL packages/endless.test.ts: no end after 15 minutes');
});

test('a file that runs for minutes is named until it ends', () => {
  const progress = new Progress({ rootDir: '/repository' });
  progress.onRunStart(totals);

  progress.onTestFileStart({ path: '/repository/packages/long.test.ts' });
  jest.advanceTimersByTime(180_000);
  progress.onTestResult({}, ended('long', 181));
  jest.advanceTimersByTime(60_000);

  expect(said.split('\n').slice(1)).toEqual([
    '2 min: 0 files done, 12 left, 0 failed',
    '3 min: 0 files done, 12 left, 0 failed; packages/long.test.ts runs',
    '4 min: 1 files done, 11 left, 0 failed',
    '',
  ]);
  progress.onRunComplete({}, totals);
});

test('a run reports when all files without a server are done', () => {
  const root = join(import.meta.dirname, '../../..');
  const progress = new Progress({ rootDir: root });
  const [unit, other] = ['packages/kernel/test/ids', 'services/ledger/test/statement/searches'].map(
    (name) => `${root}/${name}.test.ts`,
  ) as [string, string];
  progress.onRunStart(totals);

  progress.onTestFileStart({ path: unit });
  progress.onTestFileStart({ path: other });
  expect(said).toBe('');
  progress.onTestResult({}, { ...ended('ids', 1), testFilePath: unit });
  progress.onTestResult({}, { ...ended('searches', 1), testFilePath: other });
  progress.onRunComplete({}, totals);

  expect(said.split('\n')[0]).toMatch(/^1 files without a server are done after \d+ s, 0 failed$/);
  expect(said.match(/without a server/g)).toHaveLength(1);
});
