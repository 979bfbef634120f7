import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import fc from 'fast-check';
import { type PostedEntry, post } from '../src/domain/books.ts';
import { chargePaid } from '../src/domain/charge-postings.ts';
import type { Fact, FactOf } from '../src/domain/fact.ts';
import { applyPosting } from '../src/domain/posting.ts';
import { emptyWallet, pockets, statementBalance, sum, type Wallet, walletKey } from '../src/domain/wallet.ts';
import {
  at,
  copyOf,
  emptyBooks,
  factsFor,
  ofKind,
  type Step,
  type Story,
  steps,
  tell,
  tenants,
} from './support/stories.ts';

const total = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

function holds(promise: (story: Story) => void): void {
  const stories = fc.array(steps, { maxLength: 60 }).map(tell);
  fc.assert(fc.property(stories, promise), { numRuns: 300 });
}

const entriesOf = ({ told }: Story) => told.flatMap(({ entries }) => entries);
const belongsTo = (wallet: Wallet) => (entry: PostedEntry) => walletKey(entry) === walletKey(wallet);

const amountsOn = (entries: readonly PostedEntry[], account: string) =>
  total(entries.flatMap(({ lines }) => lines.filter((l) => l.account === account).map((l) => l.amount)));

describe('whatever happens, in whatever order', () => {
  test('every entry adds up to zero and holds no empty line or row', () => {
    holds((story) => {
      for (const { lines, rows } of entriesOf(story)) {
        expect(lines.length).toBeGreaterThan(1);
        expect(total(lines.map(({ amount }) => amount))).toBe(0);
        expect([...lines, ...rows].every(({ amount }) => amount !== 0)).toBe(true);
        expect(new Set(lines.map(({ account }) => account)).size).toBe(lines.length);
      }
    });
  });

  test('every wallet is the fold of its lines, and no part of it is below zero', () => {
    holds((story) => {
      for (const wallet of story.books.wallets.values()) {
        const own = entriesOf(story).filter(belongsTo(wallet));
        for (const pocket of pockets) {
          for (const method of ['PIX', 'CARD', 'BOLETO'] as const) {
            expect(wallet[pocket][method]).toBe(amountsOn(own, `${pocket}:${method}`));
            expect(wallet[pocket][method]).toBeGreaterThanOrEqual(0);
          }
        }
        expect(wallet.disputeDebt).toBe(-amountsOn(own, 'dispute_debt') + 0);
      }
    });
  });

  test('the rows add up to available, pending and debt, and each says the balance it left', () => {
    holds((story) => {
      for (const wallet of story.books.wallets.values()) {
        const own = entriesOf(story).filter(belongsTo(wallet));
        let balance = 0;
        for (const row of own.flatMap(({ rows }) => rows)) {
          balance += row.amount;
          expect(row.balanceAfter).toBe(balance);
        }
        expect(balance).toBe(statementBalance(wallet));
      }
    });
  });

  test('every receivable is what is pending of its charge', () => {
    holds((story) => {
      for (const { chargeId, remaining, amount } of story.books.receivables.values()) {
        const own = entriesOf(story).filter((entry) => entry.chargeId === chargeId);
        expect(remaining).toBe(amountsOn(own, 'pending:CARD'));
        expect(remaining).toBeLessThanOrEqual(amount);
      }
    });
  });

  test('the debt of lost disputes is collected from all that is available, and no other debt is', () => {
    holds((story) => {
      for (const wallet of story.books.wallets.values()) {
        const own = entriesOf(story).filter(belongsTo(wallet));
        const lost = own.filter(({ kind }) => kind === 'dispute_lost');
        const collected = own.filter(({ kind }) => kind === 'debt_collected');
        const collectable = -amountsOn(lost, 'dispute_exposure') - amountsOn(collected, 'dispute_debt');
        expect(wallet.collectableDebt - collectable).toBe(0);
        expect(wallet.disputeDebt - wallet.collectableDebt).toBe(amountsOn(own, 'dispute_exposure'));
        expect(Math.min(wallet.collectableDebt, sum(wallet.available))).toBe(0);
      }
    });
  });

  test('each fact stands once, and a dispute has at most one end', () => {
    holds((story) => {
      const facts = entriesOf(story).map(({ kind, reference }) =>
        kind.startsWith('dispute_') && kind !== 'dispute_opened'
          ? `end ${reference}`
          : `${kind} ${reference}`,
      );
      expect(new Set(facts).size).toBe(facts.length);
    });
  });

  test('a refusal is the opposite of its refund, and a return of its payment', () => {
    holds((story) => {
      const answers = {
        refund_refused: 'refund',
        unexpected_payment_returned: 'unexpected_payment_received',
      };
      for (const [answer, basis] of Object.entries(answers)) {
        for (const { reference } of entriesOf(story).filter(({ kind }) => kind === answer)) {
          const both = entriesOf(story).filter(
            ({ kind, reference: other }) => other === reference && [answer, basis].includes(kind),
          );
          expect(both).toHaveLength(2);
          for (const { account } of both.flatMap(({ lines }) => lines))
            expect(amountsOn(both, account)).toBe(0);
        }
      }
    });
  });

  test('what is refused, known or without ground leaves the books as they were', () => {
    holds(({ told }) => {
      for (const [index, { outcome, before, entries }] of told.entries()) {
        const after = told[index + 1]?.before;
        if (entries.length > 0 || !after) continue;
        expect(outcome.is).not.toBe('posted');
        expect({ ...after, refused: null }).toEqual({ ...before, refused: null });
      }
    });
  });

  test('the totals are the gross of what was paid and the fees that were taken', () => {
    holds((story) => {
      const paid = ofKind(story.told, 'charge_paid');
      const distinct = [...new Map(paid.map((fact) => [fact.reference, fact])).values()];
      for (const wallet of story.books.wallets.values()) {
        const own = distinct.filter((fact) => walletKey(fact) === walletKey(wallet));
        expect(wallet.totalEarned).toBe(total(own.map(({ amount }) => amount)));
        expect(wallet.totalFeesPaid).toBe(total(own.map(({ fee }) => fee)));
      }
    });
  });
});

describe('what is undone at once', () => {
  const undone = (what: Step['what'], undo: (facts: Fact[]) => Fact[]) =>
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), steps, (past, step) => {
        const story = tell(past);
        const before = copyOf(story.books);
        const facts = factsFor({ ...step, what }, story);
        if (post(story.books, facts).outcome.is !== 'posted') return;

        post(story.books, undo(facts));

        for (const [key, wallet] of story.books.wallets) {
          const was = before.wallets.get(key) ?? wallet;
          for (const method of ['PIX', 'CARD', 'BOLETO'] as const) {
            const spendable = (one: Wallet) => one.available[method] + one.pending[method];
            expect(spendable(wallet)).toBe(spendable(was));
            expect(wallet.reserved[method]).toBe(was.reserved[method]);
          }
          expect(wallet.disputeDebt).toBe(was.disputeDebt);
        }
      }),
      { numRuns: 300 },
    );

  test('a refund that is refused leaves everything as it was', () => {
    undone('refund', (facts) =>
      facts.flatMap((fact) => {
        if (fact.kind !== 'refund') return [];
        const { externalId: _externalId, ...rest } = fact;
        return [{ ...rest, kind: 'refund_refused' as const }];
      }),
    );
  });

  test('a dispute that is won leaves everything as it was, but for what is available sooner', () => {
    undone('open', (facts) =>
      facts.flatMap((fact) =>
        fact.kind === 'dispute_opened' ? [{ ...fact, kind: 'dispute_won' as const }] : [],
      ),
    );
  });
});

describe('a posting is refused', () => {
  const [tenant] = tenants;
  const fact: FactOf<'charge_paid'> = {
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    occurredAt: at,
    method: 'PIX',
    amount: 100,
    fee: 1,
    externalId: 'pedido-1',
    settlesAt: null,
  };

  test.each([101, -1, 1_000_000])('with a fee of %d on an amount of 100', (fee) => {
    expect(() => post(emptyBooks(), [{ ...fact, fee }])).toThrow(RangeError);
  });

  test('that would make a cent disappear beyond the safe integers', () => {
    const books = emptyBooks();
    post(books, [{ ...fact, amount: Number.MAX_SAFE_INTEGER, fee: 0 }]);

    expect(() => post(books, [{ ...fact, reference: newId(), amount: 2 }])).toThrow(RangeError);
  });

  test.each([
    ['whose rows say something else than its lines', { rows: [] }, 'disagree'],
    [
      'that takes what is not there',
      { lines: [{ account: 'reserved:PIX', amount: -1 } as const] },
      'below zero',
    ],
    ['that collects more than is owed', { collectable: 1 }, 'more debt'],
  ])('%s', (_what, changes, message) => {
    const posting = chargePaid(fact);

    expect(() => applyPosting(emptyWallet(tenant), { ...posting, ...changes })).toThrow(message);
  });
});
