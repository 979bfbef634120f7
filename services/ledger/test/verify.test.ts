import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf, entryAt, eventful, lengthOf, tamper, verify } from './support/tampering.ts';
import { asOperator, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

describe('untampered books', () => {
  test('have no difference after every kind of posting', async () => {
    const { tenant } = await eventful(world);

    const verified = await verify(world, { ...tenant });

    expect(verified).toEqual({
      wallets: 1,
      entries: await lengthOf(world, tenant),
      differences: [],
      next: null,
    });
    expect(verified.entries).toBeGreaterThan(12);
  });

  test('number each wallet’s entries and link them by hash', async () => {
    const { tenant } = await eventful(world);

    const entries = await world.database.query<{ sequence: number; hash: string; previous: string | null }>(
      `SELECT wallet_sequence AS sequence, encode(hash, 'hex') AS hash, encode(previous_hash,
        'hex') AS previous
       FROM journal_entries WHERE merchant_id = $1 ORDER BY wallet_sequence`,
      [tenant.merchantId],
    );

    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    expect(entries.map(({ previous }) => previous)).toEqual([
      null,
      ...entries.slice(0, -1).map(({ hash }) => hash),
    ]);
  });

  test('are verified while two replicas write to them', async () => {
    const other = await world.startReplica();
    const tenant = newTenant();
    const announcing = (async () => {
      for (let round = 0; round < rounds(10); round += 1) {
        await Promise.all([
          world.deliver(...Array.from({ length: 20 }, () => paid(tenant))),
          ...Array.from({ length: 10 }, () =>
            world.withdraw(withdrawalOf(tenant, { netAmount: 10, fee: 1 }).order, other),
          ),
        ]);
      }
    })();
    for (let round = 0; round < rounds(20); round += 1)
      expect(await differencesOf(world, tenant)).toEqual([]);

    await announcing;
    expect(await differencesOf(world, tenant)).toEqual([]);
    await other.stop();
  });

  test('are verified to the end over small pages', async () => {
    const { tenant } = await eventful(world);
    await tamper(
      world,
      `UPDATE journal_lines SET amount_cents = amount_cents + 1 WHERE entry_id = $1 AND account = 'fees'`,
      [await entryAt(world, tenant, 1)],
    );
    const whole = await verify(world, { limit: '100000' });
    expect(whole.next).toBeNull();

    const total = { wallets: 0, entries: 0, what: [] as string[] };
    for (let after: string | null = ''; after !== null; ) {
      const part = await verify(world, { limit: '1', ...(after ? { after } : {}) });
      total.wallets += part.wallets;
      total.entries += part.entries;
      total.what.push(...part.differences.map(({ what }) => what));
      after = part.next;
    }

    expect(total).toEqual({
      wallets: whole.wallets,
      entries: whole.entries,
      what: whole.differences.map(({ what }) => what),
    });
    expect(total.what).not.toEqual([]);
  });

  test('of one environment are verified alone', async () => {
    const { merchantId } = newTenant();
    await world.deliver(
      paid({ merchantId, environment: 'production' }),
      paid({ merchantId, environment: 'sandbox' }),
    );
    await tamper(
      world,
      'UPDATE wallets SET available_pix_cents = 1 WHERE merchant_id = $1 AND environment = $2',
      [merchantId, 'sandbox'],
    );

    expect((await verify(world, { environment: 'production' })).differences).toEqual([]);
    expect((await verify(world, { merchantId })).differences).toMatchObject([{ environment: 'sandbox' }]);
  });
});

describe('verification', () => {
  test.each([
    ['available_pix_cents', 'available:PIX'],
    ['pending_card_cents', 'pending:CARD'],
    ['reserved_boleto_cents', 'reserved:BOLETO'],
    ['blocked_pix_cents', 'blocked:PIX'],
    ['dispute_debt_cents', 'dispute debt'],
    ['total_earned_cents', 'total earned'],
    ['total_withdrawn_cents', 'total withdrawn'],
    ['total_fees_paid_cents', 'total fees paid'],
  ])('finds a wallet whose %s differs from its entries', async (column, what) => {
    const { tenant } = await eventful(world);
    const [row] = await world.database.queryUnprepared<{ amount: number }>(
      `SELECT ${column} AS amount FROM wallets WHERE merchant_id = $1`,
      [tenant.merchantId],
    );
    await tamper(world, `UPDATE wallets SET ${column} = ${column} + 7 WHERE merchant_id = $1`, [
      tenant.merchantId,
    ]);

    const amount = row?.amount ?? Number.NaN;
    expect(await differencesOf(world, tenant)).toContainEqual([what, amount + 7, amount]);
  });

  test('finds more collectable debt than was lost', async () => {
    const { tenant } = await eventful(world);
    await tamper(
      world,
      'UPDATE wallets SET dispute_debt_cents = 7, collectable_debt_cents = 7 WHERE merchant_id = $1',
      [tenant.merchantId],
    );

    expect(await differencesOf(world, tenant)).toContainEqual(['collectable debt', 7, 0]);
  });

  test('finds a deleted wallet', async () => {
    const { tenant } = await eventful(world);
    await tamper(world, 'DELETE FROM wallets WHERE merchant_id = $1', [tenant.merchantId]);

    const all = await verify(world, { environment: tenant.environment, limit: '100000' });

    const own = all.differences.filter(({ merchantId }) => merchantId === tenant.merchantId);
    expect(own).toContainEqual(expect.objectContaining({ what: 'length of the chain', recorded: 0 }));
  });

  test('finds a changed receivable and one without a charge', async () => {
    const { tenant, card } = await eventful(world);
    const stranger = newId();
    await tamper(world, 'UPDATE receivables SET remaining_cents = 1 WHERE charge_id = $1', [card.data.id]);
    await tamper(
      world,
      `INSERT INTO receivables (charge_id, merchant_id, environment, payment_method, amount_cents,
        remaining_cents,
         settles_at, due_reference) SELECT $2, merchant_id, environment, payment_method, 5, 5, settles_at, $2
       FROM receivables WHERE charge_id = $1`,
      [card.data.id, stranger],
    );

    const found = await differencesOf(world, tenant);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual([`receivable of charge ${card.data.id}`, 1, 2_475]);
    expect(found).toContainEqual([`receivable of charge ${stranger}`, 5, 0]);
  });
});

describe('a request for verification', () => {
  test('with a cursor of another query or none is refused', async () => {
    const [one, two] = [newTenant(), newTenant()];
    await world.deliver(paid(one), paid(two));
    const ask = (query: Record<string, string>) =>
      asOperator(world.first, { path: `/v1/admin/ledger/verify?${new URLSearchParams(query)}` });
    const at = (position: number | 'done') => `${one.merchantId}:${one.environment}:${position}`;

    const answers = [
      await ask({ merchantId: two.merchantId, after: at(1) }),
      await ask({ merchantId: two.merchantId, after: at('done') }),
      await ask({ environment: 'production', after: at(1) }),
      await ask({ after: at(2) }),
      await ask({ after: at(900) }),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 400,
        answer: { error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^after: /) } },
      });
    }
    expect((await verify(world, { ...one, after: at(1) })).differences).toEqual([]);
  });

  test.each([
    ['after', 'after=x'],
    ['after', `after=${newId()}:sandbox`],
    ['limit', 'limit=0'],
    ['merchantId', 'merchantId=x'],
    ['page', 'page=1'],
  ])('with a wrong %s is refused', async (parameter, query) => {
    const answer = await asOperator(world.first, { path: `/v1/admin/ledger/verify?${query}` });

    expect(answer).toMatchObject({
      status: 400,
      answer: { error: { message: expect.stringContaining(`${parameter}: `) } },
    });
  });
});
