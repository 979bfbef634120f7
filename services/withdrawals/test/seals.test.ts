import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { flipColumns, openAt } from '@plataforma/testing/world';
import { pending, states } from './operators/support/states.ts';
import { agreeingWorld, type Followed } from './payout/support/payouts.ts';
import { newOrder } from './support/client.ts';
import { saved } from './support/destination-bodies.ts';
import { startWorld } from './support/world.ts';

const world = agreeingWorld(startWorld);
/** A connection with the service's own role, like that of an intruder with the service's stolen login. */
let insider: Database;

beforeAll(() => {
  insider = openAt(world.env.DATABASE_URL ?? '');
});
afterAll(() => insider?.close());

/** Columns with which the scheduler plans its work, and the seal itself. They do not move money. */
const UNSEALED = ['checks', 'next_check_at', 'lease_token', 'lease_until', 'seal'];

/** Further values of columns with text. */
const TEXTS = [
  ...["'PIX'", "'TED'", "'EMAIL'", "'CPF'", "'MANUAL'", "'QR_CODE'"],
  ...["'PENDING'", "'APPROVED'", "'PROCESSING'", "'COMPLETED'", "'FAILED'", "'REJECTED'", "'DEBITING'"],
];

const flips = (table: string, row: { id: string; without: readonly string[] }) =>
  flipColumns(insider, table, {
    ...{ ...row, values: { text: TEXTS }, inTurn: ['status', 'approvals_needed'], owner: world.database },
  });

const FREE = `
  UPDATE withdrawals SET next_check_at = now(), lease_token = NULL, lease_until = NULL WHERE id = $1
  RETURNING checks`;

/** Makes a withdrawal due, and waits until the scheduler has claimed it. */
async function letSchedulerTry(id: string): Promise<void> {
  const [row] = await insider.query<{ checks: number }>(FREE, [id]);
  await eventually(async () => {
    const [now] = await insider.query<{ checks: number }>('SELECT checks FROM withdrawals WHERE id = $1', [
      id,
    ]);
    expect(now?.checks).toBeGreaterThan(row?.checks ?? 0);
  });
}

const contents = async (id: string) => {
  const row = (await world.rowOf(id)) ?? {};
  return Object.fromEntries(Object.entries(row).filter(([name]) => !UNSEALED.includes(name)));
};

const orders = () => world.bank.requests.filter(({ operation }) => operation === 'order').length;

describe('a withdrawal whose row was changed in the database', () => {
  const columns = { without: [...UNSEALED, 'id'] };

  test('is neither approved nor rejected while it is PENDING', async () => {
    const withdrawal = await pending(world);
    const before = orders();
    for await (const flip of flips('withdrawals', { id: withdrawal.id, ...columns })) {
      const flipped = await contents(withdrawal.id);
      const answers = [
        await world.client.approve(withdrawal.id, newId()),
        await world.client.reject(withdrawal.id, newId()),
      ];
      // A withdrawal in a state that the API does not show is not found.
      const refused = flip === "status = 'DEBITING'" ? 404 : 409;
      expect([flip, ...answers.map(({ status }) => status)]).toEqual([flip, refused, refused]);
      expect([flip, await contents(withdrawal.id)]).toEqual([flip, flipped]);
    }
    expect(orders()).toBe(before);
    await world.client.approve(withdrawal.id, newId());
    await withdrawal.becomes('COMPLETED');
  });

  test.each(['APPROVED', 'PROCESSING'] as const)(
    'is neither sent nor ended while it is %s',
    async (state) => {
      const withdrawal = await (states[state] as (typeof states)[string] & {})(world);
      const before = orders();
      let tried = 0;
      for await (const flip of flips('withdrawals', { id: withdrawal.id, ...columns })) {
        const flipped = await contents(withdrawal.id);
        await letSchedulerTry(withdrawal.id);
        expect([flip, await contents(withdrawal.id)]).toEqual([flip, flipped]);
        tried += 1;
      }
      expect(tried).toBeGreaterThan(20);
      expect(orders()).toBe(before);
      await insider.query(FREE, [withdrawal.id]);
      if (state === 'PROCESSING') world.bank.end(withdrawal.id, 'REALIZADO');
      await withdrawal.becomes('COMPLETED');
    },
  );
});

const COPY = `
  INSERT INTO withdrawals SELECT (jsonb_populate_record(w,
    jsonb_build_object('id', $2::text, 'external_id', NULL) || $3::jsonb)).*
  FROM withdrawals w WHERE id = $1`;

describe('an order that nobody gave', () => {
  test.each([
    ['that needs no approval', { approvals_needed: 0 }],
    ['with the seal of another order', { approvals_needed: 1 }],
    ['of another merchant', { merchant_id: newId(), approvals_needed: 0, seal: null }],
  ])('is neither debited nor paid: one %s', async (_, changes) => {
    const withdrawal: Followed = await pending(world);
    const forged = newId();
    const due = { status: 'DEBITING', can_be_asked_for: true, next_check_at: new Date().toISOString() };
    await insider.query(COPY, [withdrawal.id, forged, JSON.stringify({ ...due, ...changes })]);

    await letSchedulerTry(forged);

    expect(world.ledger.taken.map(({ id }) => id)).not.toContain(forged);
    expect(world.bank.requestsFor(forged, 'order')).toEqual([]);
    expect(await contents(forged)).toMatchObject({ status: 'DEBITING' });
    await world.database.query('DELETE FROM withdrawals WHERE id = $1', [forged]);
    await world.client.reject(withdrawal.id, newId());
  });
});

describe('a destination whose row was changed in the database', () => {
  test('receives nothing', async () => {
    const tenant = world.newMerchant();
    const { id: destinationId } = await saved(world.client, tenant);
    const order = newOrder({ destinationId });
    const without = ['id', 'label', 'deleted_at', 'seal'];
    for await (const flip of flips('destinations', { id: destinationId, without })) {
      const { status } = await world.client.create(tenant, order);
      expect([flip, [404, 409].includes(status)]).toEqual([flip, true]);
    }
    expect(await world.rowsOf(tenant)).toEqual([]);
    expect(await world.client.create(tenant, order)).toMatchObject({ status: 201 });
  });
});

test('a merchant’s settings that were changed in the database are asked of the gateway', async () => {
  const tenant = world.newMerchant({ autoApproveLimit: 0 }, 'production');
  await world.client.newWithdrawal(tenant);
  const raise = `UPDATE merchants SET snapshot = jsonb_set(snapshot, '{autoApproveLimit}', '999999999') WHERE id = $1`;
  await insider.query(raise, [tenant.merchantId]);

  await world.client.newWithdrawal(tenant);

  const needed = 'SELECT approvals_needed AS count FROM withdrawals WHERE merchant_id = $1';
  expect(await insider.query(needed, [tenant.merchantId])).toEqual([{ count: 1 }, { count: 1 }]);
});

const FORGE = `
  INSERT INTO outbox (event_id, type, body)
  SELECT $2::uuid, type, replace(body, event_id::text, $2::text) FROM outbox
  WHERE body LIKE '%' || $1::text || '%' ORDER BY position LIMIT 1`;
const EVENT = 'SELECT attempts, published_at FROM outbox WHERE event_id = $1';

test('an event that the service has not announced is not published', async () => {
  const withdrawal = await (states.COMPLETED as (typeof states)[string] & {})(world);
  const forged = newId();
  await insider.query(FORGE, [withdrawal.id, forged]);
  await world.client.newWithdrawal(world.newMerchant());

  await eventually(async () => {
    const [event] = await insider.query<{ attempts: number }>(EVENT, [forged]);
    expect(event?.attempts).toBeGreaterThan(0);
  });
  expect(await insider.query(EVENT, [forged])).toMatchObject([{ published_at: null }]);
  await world.database.query('DELETE FROM outbox WHERE event_id = $1', [forged]);
});
