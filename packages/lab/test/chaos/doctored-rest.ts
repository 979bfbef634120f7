import { changed, withTruth } from './doctored-bank.ts';
import type { DoctoredData } from './doctored-data.ts';
import type { DoctoredMemory } from './doctored-memory.ts';

/** What the platform has still to bring to an end. */
export const unfinished: DoctoredData[] = [
  {
    name: 'a card payment is being given back',
    service: 'charges',
    sql: `UPDATE charges SET status = 'PENDING', paid_at = NULL, is_voiding = true WHERE payment_method = 'CARD'`,
    invariants: [2],
    finds: /^card charge .* is still open/,
  },
  {
    name: 'a refund is on its way',
    service: 'charges',
    sql: "UPDATE refunds SET status = 'ACCEPTED' WHERE status = 'DONE'",
    invariants: [4],
    finds: /^refund .* is still open/,
  },
  {
    name: 'a payment is on its way back',
    service: 'charges',
    sql: "UPDATE unexpected_payments SET status = 'RETURNING', returned_at = NULL WHERE status = 'RETURNED'",
    invariants: [4],
    finds: /^return of E\w+ is still open/,
  },
];

/** What the bank has. */
export const unfinishedAtBank: DoctoredMemory[] = [
  {
    name: 'the bank has not returned a payment yet',
    doctor: withTruth(({ refunds }) => ({
      refunds: changed(refunds, () => ({ status: 'EM_PROCESSAMENTO' })),
    })),
    invariants: [4],
    finds: /^the bank still returns E\w+/,
  },
  {
    name: 'the bank has not paid a withdrawal yet',
    doctor: withTruth(({ payouts }) => ({
      payouts: changed(payouts, () => ({ status: 'EM_PROCESSAMENTO' })),
    })),
    invariants: [3],
    finds: /^the bank still pays/,
  },
  {
    name: 'the acquirer has not decided yet',
    doctor: withTruth(({ cardCharges }) => ({
      cardCharges: changed(cardCharges, () => ({ status: 'processing' })),
    })),
    invariants: [2],
    finds: /^the acquirer still decides on/,
  },
];
