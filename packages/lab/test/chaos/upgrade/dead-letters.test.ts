import { expect, test } from '@jest/globals';
import { judgeDeadLetters } from '../../../src/chaos/upgrade/dead-letters.ts';

const replacements = new Map([
  ['ledger', { startedAt: 1_000, endedAt: 2_000 }],
  ['webhooks', { startedAt: 2_000, endedAt: 3_000 }],
  ['charges', { startedAt: 3_000, endedAt: 4_000 }],
]);

test.each([
  ['ledger', 'charge.refunded', 1_999, []],
  ['ledger', 'charge.refunded', 2_000, ['ledger set charge.refunded aside']],
  ['webhooks', 'charge.refunded', 2_999, []],
  ['webhooks', 'receivable.settled', 999, []],
  ['webhooks', 'receivable.settled', 1_000, ['webhooks set receivable.settled aside']],
  ['webhooks', null, 999, ['webhooks set an unreadable event aside']],
  ['webhooks', 'charge.unheard_of', 999, ['webhooks set charge.unheard_of aside']],
])('findings for dead letters of %s, type %s, at %i: %j', (service, type, diedAt, found) => {
  const findings = judgeDeadLetters([{ service, type, diedAt, isReplayed: true }], replacements);

  expect(findings.map(({ what }) => what)).toEqual(found);
});
