import { expect, test } from '@jest/globals';
import { dueAfter } from '@plataforma/work';
import { failureReasonOf } from '../../src/domain/failure-reason.ts';
import { backoff } from '../../src/domain/payout.ts';

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  [0, 1_000],
  [1, 1_000],
  [2, 2_000],
  [6, 32_000],
  [10, 512_000],
  [11, 600_000],
  [2_000_000, 600_000],
])('a payout after %i checks is due in %i ms', (attempts, restMs) => {
  expect(dueAfter(backoff, { attempts, now })).toEqual(new Date(now.getTime() + restMs));
});

test.each([
  ['AB03', 'timed_out'],
  ['AB09', 'refused_by_bank'],
  ['AB11', 'timed_out'],
  ['AC03', 'account_not_found'],
  ['AC06', 'account_blocked'],
  ['AC07', 'account_closed'],
  ['AC14', 'account_not_found'],
  ['AG03', 'refused_by_bank'],
  ['AM02', 'limit_exceeded'],
  ['AM04', 'other'],
  ['BE01', 'invalid_key'],
  ['BE17', 'refused_by_bank'],
  ['DS04', 'refused_by_bank'],
  ['ED05', 'other'],
  ['FRAD', 'suspected_fraud'],
  ['RR04', 'refused_by_bank'],
  ['AC03: Conta do favorecido inexistente ou inválida.', 'account_not_found'],
  [' AC06 - Conta bloqueada', 'account_blocked'],
  ['Conta inexistente (AC03)', 'other'],
  ['AC030', 'other'],
  ['constructor', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('the bank’s text “%s” means %s', (text, reason) => {
  expect(failureReasonOf(text)).toBe(reason);
});
