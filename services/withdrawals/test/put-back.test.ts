import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { keepRow, openAt, putBack, worldOfFile } from '@plataforma/testing/world';
import { pending, pendingTed } from './operators/support/states.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
/** A connection with the service's own role, like that of an intruder with the service's stolen login. */
let insider: Database;

beforeAll(() => {
  insider = openAt(world.env.DATABASE_URL ?? '');
});
afterAll(() => insider?.close());

const PAYOUTS = [
  ['a Pix', () => pending(world)],
  ['a TED', () => pendingTed(world)],
] as const;

test.each(PAYOUTS)('%s that was sent is not put back and cancelled', async (_, create) => {
  const withdrawal = await create();
  const older = await keepRow(insider, 'withdrawals', withdrawal.id);
  world.bank.paysAtOnce(false);
  expect(await world.client.approve(withdrawal.id, newId())).toMatchObject({ status: 200 });
  await withdrawal.becomes('PROCESSING');
  world.bank.paysAtOnce(true);

  const isPutBack = await putBack(insider, 'withdrawals', older);
  const cancelled = await world.client.cancel(withdrawal.tenant, withdrawal.id);

  expect([isPutBack, cancelled.status]).toEqual([false, 409]);
  expect(await world.rowOf(withdrawal.id)).toMatchObject({ status: 'PROCESSING' });
});

test('a debited withdrawal is not put back and abandoned', async () => {
  const withdrawal = await pending(world);
  const older = await keepRow(insider, 'withdrawals', withdrawal.id);

  const debiting = { ...older, status: 'DEBITING', can_be_asked_for: false, next_check_at: new Date() };

  expect(await putBack(insider, 'withdrawals', debiting)).toBe(false);
});

test('the owner of the tables may repair a row', async () => {
  const withdrawal = await pending(world);
  const { id } = withdrawal;
  const older = await keepRow(insider, 'withdrawals', id);
  await world.client.reject(id, newId());

  expect(await putBack(world.database, 'withdrawals', older)).toBe(true);

  expect(await world.rowOf(id)).toMatchObject({ status: 'PENDING' });
});
