import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { type Outcome, post } from '../src/domain/books.ts';
import type { FactOf } from '../src/domain/fact.ts';
import { reportOutcome } from '../src/report-outcome.ts';
import { emptyBooks, origin, tenants } from './support/stories.ts';

const paid: FactOf<'charge_paid'> = {
  ...tenants[0],
  kind: 'charge_paid',
  reference: newId(),
  ...origin,
  method: 'PIX',
  amount: 1_000,
  fee: 10,
  externalId: 'pedido-secreto',
  settlesAt: null,
};

function reported(outcome: Outcome): unknown[] {
  const reports: unknown[] = [];
  reportOutcome({ error: (what: unknown) => reports.push(what) }, outcome);
  return reports;
}

describe('the report to the log', () => {
  test('names entry and fact of contradictory amounts and nothing else', () => {
    const books = emptyBooks();
    const [entry] = post(books, [paid]).entries;

    const reports = reported(post(books, [{ ...paid, amount: 2_000 }]).outcome);

    expect(reports).toEqual([
      { entryId: entry?.id, entryKind: 'charge_paid', kind: 'charge_paid', reference: paid.reference },
    ]);
  });

  test('names a refusal without a posted refund', () => {
    const { fee: _fee, externalId: _externalId, settlesAt: _settlesAt, ...rest } = paid;

    const { outcome } = post(emptyBooks(), [{ ...rest, kind: 'refund_refused', chargeId: newId() }]);

    expect(reported(outcome)).toEqual([{ kind: 'refund_refused', reference: paid.reference }]);
  });

  test.each([
    ['failed or was rejected', {}, [{ kind: 'withdrawal_returned', reference: paid.reference }]],
    ['was abandoned', { isAbandoned: true as const }, []],
  ])('reflects the return of an undebited withdrawal that %s', (_how, end, expected) => {
    const books = emptyBooks();
    const withdrawal = { ...tenants[0], reference: paid.reference, ...origin, netAmount: 100, fee: 1 };

    const { outcome, refused } = post(books, [{ ...withdrawal, kind: 'withdrawal_returned', ...end }]);
    const late = post(books, [paid, { ...withdrawal, kind: 'withdrawal_created', method: 'PIX' }]);

    expect(reported(outcome)).toEqual(expected);
    expect([refused, late.outcome.is]).toEqual([paid.reference, 'refused']);
  });

  test('is empty for a posted or repeated fact', () => {
    const books = emptyBooks();

    expect([paid, paid].map((fact) => reported(post(books, [fact]).outcome))).toEqual([[], []]);
  });
});
