import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, isDuplicate } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { openTestDatabase } from '@plataforma/testing/world';
import fc from 'fast-check';
import { migrations } from '../migrations/index.ts';
import { post } from '../src/domain/books.ts';
import type { Fact } from '../src/domain/fact.ts';
import type { Wallet } from '../src/domain/wallet.ts';
import { postFacts } from '../src/store/post-facts.ts';
import { verifyBooks } from '../src/store/verify-books.ts';
import { findWallet } from '../src/store/wallets.ts';
import { brokenPromises } from './support/books.ts';
import { Model } from './support/model.ts';
import { seeded } from './support/random.ts';
import { copyOf, emptyBooks, factsFor, postAll, type Story, steps, tenants } from './support/stories.ts';

const random = seeded();

/** Returns a wallet without its hash chain, because the model does not compute hashes. */
const moneyIn = ({ chain: _chain, merchantId: _merchantId, environment: _environment, ...money }: Wallet) =>
  money;

const everyKind = Object.entries({
  charge_paid: ['contradicted'],
  receivable_due: [],
  refund: ['refused', 'contradicted'],
  refund_refused: ['contradicted'],
  dispute_opened: ['contradicted'],
  dispute_won: ['contradicted'],
  dispute_lost: ['contradicted'],
  withdrawal_created: ['refused', 'contradicted'],
  withdrawal_completed: ['groundless', 'contradicted'],
  withdrawal_returned: ['groundless', 'prevented', 'contradicted'],
  block: ['refused', 'contradicted'],
  unblock: ['refused'],
  adjustment: ['refused', 'contradicted'],
  unexpected_payment_received: ['contradicted'],
  unexpected_payment_returned: ['contradicted'],
} satisfies Record<Fact['kind'], string[]>).flatMap(([kind, ways]) =>
  ['posted', ...ways].map((way) => `${kind} ${way}`),
);

const collections = ['charge_paid', 'dispute_lost', 'adjustment'].map((kind) => `debt_collected by ${kind}`);

describe(`a random history (SEED=${random.seed})`, () => {
  test('covers every kind of fact and every outcome', () => {
    const covered = new Set<string>();
    for (const history of fc.sample(fc.array(steps, { minLength: 40, maxLength: 60 }), {
      numRuns: 100,
      seed: 1,
    })) {
      for (const { facts, outcome, entries } of postAll(history).batches) {
        const fact = facts.at(-1);
        if (fact) covered.add(`${fact.kind} ${outcome.is}`);
        for (const { kind } of entries) if (kind !== fact?.kind) covered.add(`${kind} by ${fact?.kind}`);
      }
    }

    expect([...everyKind, ...collections].filter((way) => !covered.has(way))).toEqual([]);
  });

  test('matches the model at each step, also after undone batches', () => {
    fc.assert(
      fc.property(
        fc.array(steps, { maxLength: 30, size: 'max' }),
        fc.array(fc.nat({ max: 30 })),
        (history, crashes) => {
          const story: Story = { books: emptyBooks(), batches: [] };
          const model = new Model();
          for (const [index, step] of history.entries()) {
            const facts = factsFor(step, story);
            if (crashes.includes(index)) post(copyOf(story.books), facts);
            const before = story.books;
            story.batches.push({ facts, before, ...post(story.books, facts) });

            const stands = model.post(facts);

            const { is } = story.batches.at(-1)?.outcome ?? { is: 'known' };
            expect(stands).toBe(is === 'posted' || is === 'known');
            for (const wallet of story.books.wallets.values()) {
              if (isDeepStrictEqual(moneyIn(wallet), model.purseOf(wallet))) continue;
              expect(moneyIn(wallet)).toEqual(model.purseOf(wallet));
            }
          }
        },
      ),
      { numRuns: rounds(1_000), seed: random.seed },
    );
  });
});

describe(`random histories in the database (SEED=${random.seed})`, () => {
  let database: Database;

  beforeAll(async () => {
    ({ database } = await openTestDatabase(migrations));
  });
  afterAll(async () => {
    await database.close();
  });

  async function expectSoundBooks() {
    expect(await brokenPromises(database)).toEqual([]);
    expect(await verifyBooks(database, { after: null, limit: 100_000 })).toMatchObject({
      differences: [],
      next: null,
    });
  }

  /** Returns random histories as batches of facts. Each history has merchants of its own. */
  function histories(count: number) {
    return fc
      .sample(fc.array(steps, { minLength: 20, maxLength: 50 }), { numRuns: count, seed: random.seed })
      .map((history) => {
        const merchants = new Map(tenants.map(({ merchantId }) => [merchantId, newId()]));
        const batches = postAll(history).batches.map(({ facts }) =>
          facts.map((fact): Fact => ({ ...fact, merchantId: merchants.get(fact.merchantId) ?? '' })),
        );
        const owners = tenants.map(({ merchantId, environment }) => ({
          merchantId: merchants.get(merchantId) ?? '',
          environment,
        }));
        return { batches, owners };
      });
  }

  function* batchesOf(batches: Fact[][]) {
    for (let rest = batches; rest.length > 0; ) {
      const size = 1 + random.below(12);
      yield rest.slice(0, size);
      rest = rest.slice(size);
    }
  }

  test('match the model although some batches are rolled back', async () => {
    for (const { batches, owners } of histories(rounds(100))) {
      const model = new Model();
      for (const batch of batchesOf(batches)) {
        if (random.below(3) === 0) {
          const dying = database.transaction(async (tx) => {
            await postFacts(tx, batch);
            throw new Error('died before the commit');
          });
          await expect(dying).rejects.toThrow('died before the commit');
        }
        const outcomes = await database.transaction((tx) => postFacts(tx, batch));
        const stands = batch.map((facts) => model.post(facts));
        expect(outcomes.map(({ is }) => is === 'posted' || is === 'known')).toEqual(stands);
      }
      for (const owner of owners)
        expect(moneyIn(await findWallet(database, owner))).toEqual(model.purseOf(owner));
    }
    await expectSoundBooks();
  });

  /**
   * Posts a batch, and retries it after a duplicate fact. Another writer can post the same reference for a
   * different merchant at the same time, because each wallet has its own row lock.
   */
  async function postBeside(batch: Fact[][], duplicates: number): Promise<void> {
    try {
      await database.transaction((tx) => postFacts(tx, batch));
    } catch (error) {
      if (duplicates === 0 || !isDuplicate(error, 'journal_entries_fact')) throw error;
      await postBeside(batch, duplicates - 1);
    }
  }

  test('posted by three writers in different orders stay consistent', async () => {
    for (const { batches } of histories(rounds(8))) {
      await Promise.all(
        [batches, random.shuffled(batches), random.shuffled(batches)].map(async (order) => {
          for (const batch of batchesOf(order)) {
            await postBeside(batch, batch.flat().length);
          }
        }),
      );
    }
    await expectSoundBooks();
  });
});
