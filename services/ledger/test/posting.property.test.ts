import { describe, expect, test } from '@jest/globals';
import { MAX_AMOUNT, newId } from '@plataforma/kernel';
import fc from 'fast-check';
import { applyPosting, type Fact, type PostedRow, type Posting, postingOf } from '../src/domain/posting.ts';
import { emptyWallet, pockets, statementBalance, type Wallet } from '../src/domain/wallet.ts';

const tenants = [
  { merchantId: newId(), environment: 'sandbox' },
  { merchantId: newId(), environment: 'production' },
] as const;

const amounts = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: MAX_AMOUNT }));

const facts: fc.Arbitrary<Fact> = fc
  .record({
    amount: amounts,
    tenant: fc.constantFrom(...tenants),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ amount, tenant, share }) => ({
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    occurredAt: '2026-11-21T12:00:00.000Z',
    method: 'PIX',
    amount,
    fee: Math.floor(amount * share),
    externalId: 'pedido-1',
  }));

interface Story {
  wallets: Map<string, Wallet>;
  postings: { fact: Fact; posting: Posting; rows: PostedRow[] }[];
}

/** What the ledger does with facts, without a database. */
function tell(told: readonly Fact[]): Story {
  const wallets = new Map<string, Wallet>(tenants.map((tenant) => [tenant.environment, emptyWallet(tenant)]));
  const postings = told.map((fact) => {
    const posting = postingOf(fact);
    const { wallet, rows } = applyPosting(wallets.get(fact.environment) ?? emptyWallet(fact), posting);
    wallets.set(fact.environment, wallet);
    return { fact, posting, rows };
  });
  return { wallets, postings };
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const stories = fc.array(facts, { maxLength: 40 }).map(tell);

function holds(promise: (story: Story) => void): void {
  fc.assert(fc.property(stories, promise), { numRuns: 300 });
}

describe('whatever is paid', () => {
  test('every posting adds up to zero and holds no empty line or row', () => {
    holds(({ postings }) => {
      for (const { posting } of postings) {
        expect(total(posting.lines.map(({ amount }) => amount))).toBe(0);
        expect([...posting.lines, ...posting.rows].every(({ amount }) => amount !== 0)).toBe(true);
      }
    });
  });

  test('every wallet is the fold of its lines, and no pocket is below zero', () => {
    holds(({ wallets, postings }) => {
      for (const [environment, wallet] of wallets) {
        const lines = postings
          .filter(({ fact }) => fact.environment === environment)
          .flatMap(({ posting }) => posting.lines);
        for (const pocket of pockets) {
          for (const method of ['PIX', 'CARD', 'BOLETO'] as const) {
            const folded = lines.filter(({ account }) => account === `${pocket}:${method}`);
            expect(wallet[pocket][method]).toBe(total(folded.map(({ amount }) => amount)));
            expect(wallet[pocket][method]).toBeGreaterThanOrEqual(0);
          }
        }
      }
    });
  });

  test('the rows add up to the wallet, and each says the balance it left', () => {
    holds(({ wallets, postings }) => {
      for (const [environment, wallet] of wallets) {
        const rows = postings
          .filter(({ fact }) => fact.environment === environment)
          .flatMap(({ rows }) => rows);
        let balance = 0;
        for (const row of rows) {
          balance += row.amount;
          expect(row.balanceAfter).toBe(balance);
        }
        expect(balance).toBe(statementBalance(wallet));
      }
    });
  });

  test('the totals are the gross of what was paid and the fees that were taken', () => {
    holds(({ wallets, postings }) => {
      for (const [environment, { totalEarned, totalFeesPaid, totalWithdrawn }] of wallets) {
        const own = postings.map(({ fact }) => fact).filter((fact) => fact.environment === environment);
        expect(totalEarned).toBe(total(own.map(({ amount }) => amount)));
        expect(totalFeesPaid).toBe(total(own.map(({ fee }) => fee)));
        expect(totalWithdrawn).toBe(0);
      }
    });
  });

  test('the order does not matter for what is left', () => {
    fc.assert(
      fc.property(
        fc
          .array(facts, { maxLength: 20 })
          .chain((told) =>
            fc.tuple(fc.constant(told), fc.shuffledSubarray(told, { minLength: told.length })),
          ),
        ([told, shuffled]) => {
          expect([...tell(shuffled).wallets]).toEqual([...tell(told).wallets]);
        },
      ),
    );
  });

  test('a posting leaves the wallet it was given as it was', () => {
    fc.assert(
      fc.property(facts, (fact) => {
        const wallet = emptyWallet(fact);

        applyPosting(wallet, postingOf(fact));

        expect(wallet).toEqual(emptyWallet(fact));
      }),
    );
  });
});

describe('a posting is refused', () => {
  const [tenant] = tenants;
  const fact: Fact = {
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    occurredAt: '2026-11-21T12:00:00.000Z',
    method: 'PIX',
    amount: 100,
    fee: 1,
    externalId: 'pedido-1',
  };

  test.each([101, -1, 1_000_000])('with a fee of %d on an amount of 100', (fee) => {
    expect(() => postingOf({ ...fact, fee })).toThrow(RangeError);
  });

  test('that would make a cent disappear beyond the safe integers', () => {
    const most = postingOf({ ...fact, amount: Number.MAX_SAFE_INTEGER, fee: 0 });
    const { wallet } = applyPosting(emptyWallet(tenant), most);

    expect(() => applyPosting(wallet, postingOf({ ...fact, amount: 2, fee: 1 }))).toThrow(RangeError);
  });

  test('whose rows say something else than its lines', () => {
    const { lines, rows, earned } = postingOf(fact);

    expect(() => applyPosting(emptyWallet(tenant), { lines, rows: rows.slice(1), earned })).toThrow(
      'disagree',
    );
  });
});
