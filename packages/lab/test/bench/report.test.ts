import { expect, test } from '@jest/globals';
import {
  atLeast,
  atMost,
  type Figures,
  megabytes,
  milliseconds,
  perSecond,
  times,
} from '../../src/bench/figures.ts';
import { printed, reportOf } from '../../src/bench/report.ts';

const rate = perSecond(12_345.6);
const share = times(0.4);
const figures: Figures = {
  about: 'From the queue to the servers.',
  rows: [
    { what: 'deliveries', value: rate, aim: atLeast(rate, 10_000) },
    { what: 'to the loop', value: share, aim: atLeast(share, 0.5), note: 'signed | unsigned' },
    { what: 'memory', value: megabytes(363.4), aim: atMost(megabytes(363.4), 700) },
  ],
};

test('a table shows figures beside their aims and marks misses', () => {
  const report = reportOf({ name: 'deliveries', figures, load: 0.31 }, '2026-11-23, commit abc1234');

  expect(report.split('\n')).toEqual([
    'From the queue to the servers.',
    '',
    'Measured on 2026-11-23, commit abc1234; load before it: 0.3.',
    '',
    '|  | figure | aim | note |',
    '| --- | --- | --- | --- |',
    '| deliveries | 12,346/s | ≥ 10,000/s |  |',
    '| to the loop | 0.40 × | ≥ 0.50 ×, missed | signed \\| unsigned |',
    '| memory | 363 MB | ≤ 700 MB |  |',
  ]);
});

test('a table omits unused columns and shows latencies in milliseconds', () => {
  const latency = { p50: 8.34, p99: 20.6 };
  const rows = [{ what: 'debit', ...latency, aim: atMost(milliseconds(latency.p50), 30) }];

  const report = reportOf({ name: 'debits', figures: { about: 'Debits.', rows }, load: 2 }, 'a day');

  expect(report).toContain(
    '|  | p50 | p99 | aim |\n| --- | --- | --- | --- |\n| debit | 8.3 ms | 20.6 ms | ≤',
  );
});

test('the terminal shows the same cells in columns', () => {
  expect(printed({ name: 'deliveries', figures, load: 5.68 }).split('\n')).toEqual([
    'deliveries: From the queue to the servers.',
    '                figure     aim                note',
    '  deliveries    12,346/s   ≥ 10,000/s',
    '  to the loop   0.40 ×     ≥ 0.50 ×, missed   signed | unsigned',
    '  memory        363 MB     ≤ 700 MB',
    '  load before it: 5.7',
  ]);
});
