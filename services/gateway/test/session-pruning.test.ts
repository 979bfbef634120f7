import { expect, test } from '@jest/globals';
import { systemClock } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { silent, worldOfFile } from '@plataforma/testing/world';
import { startSchedule } from '../src/schedule.ts';
import { deleteSessionsOver } from '../src/store/sessions.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';
import type { Merchant } from './support/world.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);

const sessionsOf = async ({ id }: Merchant) =>
  (await world.database.query('SELECT 1 FROM sessions WHERE organization_id = $1', [id])).length;
const logInAgain = ({ email, password }: Merchant) => world.post('/v1/auth/login', { email, password });
const refresh = (refreshToken: string) => world.post('/v1/auth/refresh', { refreshToken });

const noChains = {
  verify: async () => null,
  headsAt: async () => null,
  beginEpoch: async () => null,
  listAnchors: async () => null,
};

async function prune(): Promise<void> {
  const pruning = startSchedule({
    ...{ database: world.database, log: silent, clock: systemClock, everyMs: 20 },
    chains: noChains,
  });
  await eventually(async () => {
    const over = 'SELECT 1 FROM sessions WHERE least(ended_at, expires_at) < now()';
    expect(await world.database.query(over)).toEqual([]);
    const late = 'SELECT 1 FROM operator_challenges WHERE expires_at < now()';
    expect(await world.database.query(late)).toEqual([]);
  });
  await pruning.stop();
}

test('ended and expired sessions are deleted, others continue', async () => {
  const ended = await world.newMerchant();
  const expired = await world.newMerchant();
  const living = await world.newMerchant();
  await logInAgain(ended);
  await world.call('/v1/auth/logout', { method: 'POST', headers: ended.bearer });
  const past = "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE organization_id = $1";
  await world.database.query(past, [expired.id]);

  await prune();

  expect([await sessionsOf(ended), await sessionsOf(expired), await sessionsOf(living)]).toEqual([1, 0, 1]);
  expect((await refresh(living.refreshToken)).status).toBe(200);
});

test('expired challenges are deleted, others continue', async () => {
  const own = await page.newOwner();
  const passkey = own.authenticator.answer(await page.challenged(own));
  await page.confirming(own);
  const past = 'UPDATE operator_challenges SET expires_at = now() WHERE session_id IS NOT NULL';
  await world.database.query(past);

  await prune();

  expect(await world.database.query('SELECT 1 FROM operator_challenges')).toHaveLength(1);
  expect((await page.logIn(own, { passkey })).status).toBe(200);
});

test('a deleted session is refused like an ended one', async () => {
  const gone = await world.newMerchant();
  await world.call('/v1/auth/logout', { method: 'POST', headers: gone.bearer });

  await prune();

  expect((await refresh(gone.refreshToken)).code).toBe('INVALID_REFRESH_TOKEN');
  expect((await world.call('/v1/account', { headers: gone.bearer })).code).toBe('INVALID_TOKEN');
});

test('a refresh token works for thirty days, used or not', async () => {
  const merchant = await world.newMerchant();
  await refresh(merchant.refreshToken);

  const [session] = await world.database.query<{ days: number }>(
    'SELECT extract(day FROM expires_at - created_at)::int AS days FROM sessions WHERE organization_id = $1',
    [merchant.id],
  );

  expect(session).toEqual({ days: 30 });
});

test('many sessions are deleted in short transactions by two replicas', async () => {
  const merchant = await world.newMerchant();
  await world.database.query(
    `INSERT INTO sessions (id, user_id, organization_id, refresh_hash, created_at, expires_at, ended_at)
     SELECT gen_random_uuid(), user_id, organization_id, n::text, now(), now(), now() - interval '1 second'
     FROM sessions, generate_series(1, 50) AS n WHERE organization_id = $1`,
    [merchant.id],
  );

  const counts = [await deleteSessionsOver(world.database, 10)];
  counts.push(
    ...(await Promise.all([deleteSessionsOver(world.database, 40), deleteSessionsOver(world.database, 40)])),
  );

  expect(counts[0]).toBe(10);
  expect(counts.reduce((sum, count) => sum + count)).toBe(50);
  expect(await sessionsOf(merchant)).toBe(1);
});
