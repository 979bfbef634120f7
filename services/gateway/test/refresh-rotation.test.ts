import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { repeatWhileUndone, worldOfFile } from '@plataforma/testing/world';
import { type Own, ownSessionsIn } from './support/own-sessions.ts';
import { send } from './support/send.ts';
import { sharedWorld, startWorld, type World } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const { refresh, logIn } = ownSessionsIn(world);

describe('a refresh token that rotates', () => {
  const rotate = async (refreshToken: string, { url } = world.gateway) => {
    const body = { refreshToken, rotate: true };
    const { code, json } = await repeatWhileUndone(
      () => send(`${url}/v1/auth/refresh`, { method: 'POST', body }),
      ({ status }) => status === 503,
    );
    return { code, refreshToken: api.refresh.data.safeParse(json.data).data?.refreshToken ?? '' };
  };
  /** Makes the current token of a session older by some minutes. */
  const age = ({ id }: Own, minutes: number) =>
    world.database.query(
      `UPDATE sessions SET created_at = created_at - $2 * interval '1 minute',
         replaced_at = replaced_at - $2 * interval '1 minute' WHERE id = $1`,
      [id, minutes],
    );

  test('stays the same in its first minutes', async () => {
    const own = await logIn(await world.newMerchant());
    await age(own, 4);

    expect(await rotate(own.refreshToken)).toEqual({ code: '', refreshToken: own.refreshToken });
  });

  test('gets one successor from concurrent requests to two replicas', async () => {
    const replica = await world.startReplica();
    const own = await logIn(await world.newMerchant());
    await age(own, 6);

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => rotate(own.refreshToken, at % 2 ? replica : world.gateway)),
    );

    const [{ refreshToken } = { refreshToken: '' }] = answers;
    expect(refreshToken).toMatch(new RegExp(`^${own.refreshToken}\\.[\\w-]{43}$`));
    expect(answers).toEqual(Array(8).fill({ code: '', refreshToken }));
    expect(await rotate(refreshToken)).toEqual({ code: '', refreshToken });
    const rows = JSON.stringify(await world.database.query('SELECT * FROM sessions WHERE id = $1', [own.id]));
    expect(rows).not.toContain(own.refreshToken);
    expect(rows).not.toContain(refreshToken.split('.')[1]);
  });

  test('returns the same successor for two minutes after a lost answer', async () => {
    const own = await logIn(await world.newMerchant());
    await age(own, 6);
    const { refreshToken } = await rotate(own.refreshToken);
    await age(own, 1.9);

    expect(await rotate(own.refreshToken)).toEqual({ code: '', refreshToken });
    expect(await refresh(own)).toBe('');
  });

  test.each([
    ['the previous token', 0],
    ['an older token', 1],
    ['a forged token', 2],
  ])('ends its session when %s is used after two minutes', async (_which, index) => {
    const own = await logIn(await world.newMerchant());
    await age(own, 6);
    const second = (await rotate(own.refreshToken)).refreshToken;
    await age(own, 6);
    const third = (await rotate(second)).refreshToken;
    await age(own, 2.1);
    const used = [second, own.refreshToken, `${own.refreshToken}.${newId()}`][index] ?? '';

    expect((await rotate(used)).code).toBe('INVALID_REFRESH_TOKEN');

    expect((await rotate(third)).code).toBe('INVALID_REFRESH_TOKEN');
    expect((await world.call('/v1/account', { headers: own.bearer })).code).toBe('INVALID_TOKEN');
  });

  test('rotates only on request, so that release 0.6.0 still works', async () => {
    const own = await logIn(await world.newMerchant());
    await age(own, 60);
    expect([await refresh(own), await refresh(own)]).toEqual(['', '']);
    const { refreshToken } = await rotate(own.refreshToken);

    const found = await world.database.query(
      "SELECT id FROM sessions WHERE refresh_hash = encode(sha256(convert_to($1, 'UTF8')), 'hex')",
      [refreshToken],
    );

    expect(found).toEqual([{ id: own.id }]);
  });
});

test('waiting refreshes of one session use one connection, and others proceed', async () => {
  const own = await startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1' } });
  try {
    const merchant = await own.newMerchant();
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { refreshToken } = merchant;
    const ask = () => own.call('/v1/account', { headers: { ...merchant.bearer, ...from('192.0.2.2') } });
    const { account, refreshing, waiting } = await own.database.transaction(async (tx) => {
      await tx.query('SELECT FROM sessions FOR UPDATE');
      const sent = Array.from({ length: 40 }, (_, at) =>
        own.call('/v1/auth/refresh', {
          method: 'POST',
          body: { refreshToken },
          headers: from(`198.51.100.${at % 10}`),
        }),
      );
      await eventually(async () => expect(await lockedStatements(own)).toBeGreaterThan(0));
      const answered = await ask();
      return { account: answered, refreshing: sent, waiting: await lockedStatements(own) };
    });
    const refreshed = await Promise.all(refreshing);

    expect([account.status, waiting]).toEqual([200, 1]);
    expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    await own.stop();
  }
});

async function lockedStatements({ database }: World): Promise<number> {
  const waiting = await database.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return waiting.length;
}
