import { describe, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import fc from 'fast-check';
import { type PostedEntry, post } from '../src/domain/books.ts';
import { misfits } from '../src/domain/chain.ts';
import type { Fact } from '../src/domain/fact.ts';
import { pockets, statementBalance, sum, type Wallet, walletKey } from '../src/domain/wallet.ts';
import { copyOf, factsFor, type Step, type Story, steps, tell } from './support/stories.ts';

const total = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

function holds(promise: (story: Story) => void): void {
  const stories = fc.array(steps, { maxLength: 60 }).map(tell);
  fc.assert(fc.property(stories, promise), { numRuns: rounds(300) });
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

  test('each fact stands once, and a dispute or withdrawal has at most one end', () => {
    const ends = ['dispute_won', 'dispute_lost', 'withdrawal_completed', 'withdrawal_returned'];
    holds((story) => {
      const facts = entriesOf(story).map(
        ({ kind, reference }) => `${ends.includes(kind) ? 'end' : kind} ${reference}`,
      );
      expect(new Set(facts).size).toBe(facts.length);
    });
  });

  test('a refusal is the opposite of its refund, and a return of its payment', () => {
    holds((story) => {
      const answers = {
        refund_refused: 'refund',
        withdrawal_returned: 'withdrawal_created',
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

  test('the totals are what was paid, withdrawn and taken as a fee, less what was given back', () => {
    holds((story) => {
      for (const wallet of story.books.wallets.values()) {
        const own = entriesOf(story).filter(belongsTo(wallet));
        const paid = own.filter(({ kind }) => kind === 'charge_paid');
        const withdrawn = own.filter(({ kind }) =>
          ['withdrawal_created', 'withdrawal_returned'].includes(kind),
        );
        const gross = amountsOn(paid, 'clearing:PIX') + amountsOn(paid, 'clearing:CARD');
        expect(wallet.totalEarned + gross).toBe(0);
        expect(wallet.totalFeesPaid).toBe(amountsOn(own, 'fees'));
        expect(wallet.totalWithdrawn).toBe(amountsOn(withdrawn, 'payouts'));
      }
    });
  });

  test('each entry of a wallet follows the one before, and one of no wallet follows none', () => {
    holds((story) => {
      for (const wallet of story.books.wallets.values()) {
        const own = entriesOf(story).filter(
          (entry) => belongsTo(wallet)(entry) && entry.link.sequence !== null,
        );
        expect(own.map(({ link }) => link.sequence)).toEqual(own.map((_, index) => index + 1));
        const stored = own.map(({ rows, ...entry }) => ({
          ...entry,
          rows: rows.map((row) => ({ ...row, createdAt: entry.createdAt, isOwn: true })),
        }));
        expect(misfits(stored, { sequence: 0, hash: null })).toEqual([]);
        expect(wallet.chain).toEqual({ sequence: own.length, hash: own.at(-1)?.link.hash ?? null });
      }
      for (const { kind, link } of entriesOf(story)) {
        const isUnexpected = kind.startsWith('unexpected_payment_');
        expect(link.sequence === null).toBe(isUnexpected);
        if (isUnexpected) expect(link.previousHash).toBeNull();
      }
    });
  });
});

/** Pending money becomes available if it comes back after its day. */
const settled = ([available = 0, pending = 0, ...others]: number[] = []) => [available + pending, ...others];

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
            const [now, then] = [wallet, was].map((one) => pockets.map((pocket) => one[pocket][method]));
            expect(settled(now)).toEqual(settled(then));
          }
          expect(wallet.disputeDebt).toBe(was.disputeDebt);
        }
      }),
      { numRuns: rounds(300) },
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

  test('a withdrawal that is returned leaves everything as it was', () => {
    undone('withdraw', (facts) =>
      facts.flatMap((fact) => {
        if (fact.kind !== 'withdrawal_created') return [];
        const { method: _method, ...rest } = fact;
        return [{ ...rest, kind: 'withdrawal_returned' as const }];
      }),
    );
  });

  test('a dispute that is won leaves everything as it was', () => {
    undone('open', (facts) =>
      facts.flatMap((fact) =>
        fact.kind === 'dispute_opened' ? [{ ...fact, kind: 'dispute_won' as const }] : [],
      ),
    );
  });
});
