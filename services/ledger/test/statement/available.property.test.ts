import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { databaseOfFile } from '@plataforma/testing/world';
import fc from 'fast-check';
import { migrations } from '../../migrations/index.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { NamedTransaction } from '../../src/domain/statement.ts';
import { listAvailable } from '../../src/store/available-rows.ts';
import { postFacts } from '../../src/store/post-facts.ts';
import { findWallet } from '../../src/store/wallets.ts';
import { seeded } from '../support/random.ts';
import { postAll, steps, tenants } from '../support/stories.ts';

const random = seeded();
const database = databaseOfFile(migrations);

/** Posts a random history of new merchants in batches. All entries of a batch have the same time. */
async function postHistory(): Promise<Tenant[]> {
  const [history = []] = fc.sample(fc.array(steps, { minLength: 30, maxLength: 60 }), {
    numRuns: 1,
    seed: random.below(2 ** 31),
  });
  const merchants = new Map(tenants.map(({ merchantId }) => [merchantId, newId()]));
  const ownerOf = (merchantId: string) => merchants.get(merchantId) ?? '';
  let rest = postAll(history).batches.map(({ facts }) =>
    facts.map((fact): Fact => ({ ...fact, merchantId: ownerOf(fact.merchantId) })),
  );
  while (rest.length > 0) {
    const size = 1 + random.below(12);
    await database.transaction((tx) => postFacts(tx, rest.slice(0, size)));
    rest = rest.slice(size);
  }
  return tenants.map(({ merchantId, environment }) => ({ merchantId: ownerOf(merchantId), environment }));
}

async function readAll({ merchantId, environment }: Tenant, filters: object) {
  const rows: NamedTransaction[] = [];
  for (let after: string | undefined; ; ) {
    const query = api.getStatement.query.parse({
      view: 'available',
      ...filters,
      ...(after ? { after } : {}),
    });
    const { items, next, ...page } = await listAvailable(database, { merchantId, environment }, query);
    rows.push(...items);
    if (next === undefined) return { rows, ...page };
    after = next;
  }
}

const LINES = `
  SELECT e.id, json_object_agg(l.account, l.amount_cents) AS lines
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.wallet_sequence IS NOT NULL
  GROUP BY e.id ORDER BY e.wallet_sequence`;

/**
 * Returns the expected rows: id, effect and balance of each entry that changes the available balance, in the
 * order of the chain.
 */
async function expectedOf({ merchantId, environment }: Tenant): Promise<[string, number, number][]> {
  const values = [merchantId, environment];
  const entries = await database.query<{ id: string; lines: Record<string, number> }>(LINES, values);
  let balance = 0;
  return entries.flatMap(({ id, lines }): [string, number, number][] => {
    const effects = Object.entries(lines).filter(([account]) => /^(available:|dispute_debt)/.test(account));
    const amount = effects.reduce((sum, [, cents]) => sum + cents, 0);
    balance += amount;
    return amount === 0 ? [] : [[id, amount, balance]];
  });
}

const shown = (rows: readonly NamedTransaction[]) =>
  rows.map(({ id, amount, balanceAfter }) => [id, amount, balanceAfter]);

test(`the available balance matches the fold of random histories (SEED=${random.seed})`, async () => {
  for (let round = 0; round < rounds(20); round += 1) {
    for (const tenant of await postHistory()) {
      const expected = await expectedOf(tenant);
      const { available, disputeDebt } = await findWallet(database, tenant);
      const closing = available.PIX + available.CARD + available.BOLETO - disputeDebt;
      const limit = String(1 + random.below(7));
      const whole = await readAll(tenant, { order: 'asc', limit });

      expect(shown(whole.rows)).toEqual(expected);
      expect(whole).toMatchObject({ total: expected.length, openingBalance: 0, closingBalance: closing });
      expect(shown((await readAll(tenant, { order: 'desc', limit })).rows)).toEqual(expected.toReversed());
      if (expected.length === 0) continue;

      const middle = random.oneOf(whole.rows).createdAt;
      const startDate = new Date(middle.getTime() + 1).toISOString();
      const before = await readAll(tenant, { order: 'asc', limit, endDate: middle.toISOString() });
      const after = await readAll(tenant, { order: 'asc', limit, startDate });
      expect([...before.rows, ...after.rows]).toEqual(whole.rows);
      expect([before.openingBalance, after.openingBalance, after.closingBalance]).toEqual([
        ...[0, before.closingBalance, closing],
      ]);
    }
  }
});
