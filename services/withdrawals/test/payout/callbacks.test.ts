import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { CALLBACK_SECRET, newOrder } from '../support/client.ts';
import { anonymousHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { agreeingWorld, type Followed, follow } from './support/payouts.ts';

const world = agreeingWorld(startWorld);

beforeEach(() => world.bank.paysAtOnce(false));

const post = (path: string, body: unknown) =>
  world.client.send(`/callbacks/payouts/${path}`, { method: 'POST', headers: anonymousHeader(), body });
const noticeOf = (id: string) => ({ tipo: 'SOLICITACAO', gnExtras: { idEnvio: id.replaceAll('-', '') } });

/**
 * Creates a payout that the bank has received and that the scheduler checks again in five minutes at the
 * earliest.
 */
async function resting(): Promise<Followed> {
  const withdrawal = await follow(world);
  await eventually(() => expect(world.bank.payoutOf(withdrawal.id)).toBeDefined());
  const often = `UPDATE withdrawals SET checks = 20 WHERE id = $1 AND lease_token IS NULL RETURNING id`;
  await eventually(async () => expect(await world.database.query(often, [withdrawal.id])).toHaveLength(1));
  const rests = `SELECT 1 FROM withdrawals WHERE id = $1 AND next_check_at > now() + interval '5 min'`;
  await eventually(async () => {
    expect(await world.database.query(rests, [withdrawal.id])).toHaveLength(1);
  });
  return withdrawal;
}

const completes = (withdrawal: Followed) =>
  eventually(async () => expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED' }));

describe('the rotation of the callback secret', () => {
  const next = 'o-segredo-seguinte-dos-avisos';
  const replicaWith = (PAYOUT_CALLBACK_SECRET: string) => world.startReplica({}, { PAYOUT_CALLBACK_SECRET });
  const statusOf = async ({ client }: Pick<World, 'client'>, path: string) => {
    const body = { pix: [noticeOf(newId())] };
    const to = `/callbacks/payouts/${path}`;
    return (await client.send(to, { method: 'POST', headers: anonymousHeader(), body })).status;
  };

  test.each([`${CALLBACK_SECRET},${next}`, `${next},${CALLBACK_SECRET}`])(
    'accepts notices at the old and the new address',
    async (secrets) => {
      const replica = await replicaWith(secrets);

      const paths = [CALLBACK_SECRET, next, `${next}/pix`, secrets, `${next}x`];
      const statuses = await Promise.all(paths.map((path) => statusOf(replica, path)));

      expect(statuses).toEqual([200, 200, 200, 404, 404]);
      await replica.stop();
    },
  );

  test('answers 404 at the old address after the change', async () => {
    const replica = await replicaWith(next);

    expect([await statusOf(replica, CALLBACK_SECRET), await statusOf(replica, next)]).toEqual([404, 200]);
    await replica.stop();
  });
});

describe('a notice', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['at the callback address', (id) => post(CALLBACK_SECRET, { pix: [noticeOf(id)] })],
    ['with the payout twice', (id) => world.client.notify(id, id)],
    ['at the address with /pix', (id) => post(`${CALLBACK_SECRET}/pix`, { pix: [noticeOf(id)] })],
    [
      'among other notices',
      (id) =>
        post(CALLBACK_SECRET, {
          pix: [
            { endToEndId: `E${'1'.repeat(31)}`, txid: 'a'.repeat(26), valor: '1.00', chave: 'x' },
            { gnExtras: null },
            { gnExtras: { idEnvio: 17 } },
            { gnExtras: { idEnvio: "'; --" } },
            { gnExtras: { idEnvio: 'Z'.repeat(32) } },
            {},
            noticeOf(id),
          ],
        }),
    ],
    [
      'among a thousand notices',
      (id) => world.client.notify(...Array.from({ length: 999 }, () => newId()), id),
    ],
  ])('%s triggers a query to the bank at once', async (_where, notify) => {
    const withdrawal = await resting();
    world.bank.end(withdrawal.id, 'REALIZADO');

    expect(await notify(withdrawal.id)).toMatchObject({ status: 200, data: { received: 1 } });

    await completes(withdrawal);
  });

  test('with a claimed outcome changes nothing without the bank’s answer', async () => {
    const withdrawal = await resting();
    const countFinds = () => world.bank.requestsFor(withdrawal.id, 'find').length;
    const before = countFinds();

    await post(CALLBACK_SECRET, {
      pix: [{ ...noticeOf(withdrawal.id), status: 'REALIZADO', endToEndId: 'E1', valor: '150.00' }],
    });
    await eventually(() => expect(countFinds()).toBeGreaterThan(before));

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    world.bank.end(withdrawal.id, 'NAO_REALIZADO');
    await world.client.notify(withdrawal.id);
    await eventually(async () => expect(await withdrawal.now()).toMatchObject({ status: 'FAILED' }));
  });

  test('does not pay a withdrawal before its approval', async () => {
    const merchant = world.newMerchant({ autoApproveLimit: 0 }, 'production');
    const pending = await world.client.newWithdrawal(merchant, newOrder());

    expect(await world.client.notify(pending.id)).toMatchObject({ data: { received: 0 } });

    expect(await world.rowOf(pending.id)).toMatchObject({ status: 'PENDING', next_check_at: null });
  });
});

describe('a callback without a notice', () => {
  test.each<[string, unknown]>([
    ['an empty list', { pix: [] }],
    ['an empty object', {}],
    ['a test event', { evento: 'teste_webhook', data_criacao: '2026-11-28T12:00:00Z' }],
    ['no body', undefined],
    ['unknown payouts', { pix: [noticeOf(newId())] }],
    ['a received Pix', { pix: [{ txid: 'a'.repeat(26), valor: '1.00' }] }],
  ])('(%s) is accepted without effect', async (_what, body) => {
    for (const path of [CALLBACK_SECRET, `${CALLBACK_SECRET}/pix`])
      expect(await post(path, body)).toMatchObject({ status: 200, data: { received: 0 } });
  });

  test.each([CALLBACK_SECRET, `${CALLBACK_SECRET}/pix`])('as a GET is answered 200', async (path) => {
    const get = (to: string) => world.client.send(`/callbacks/payouts/${to}`, { headers: anonymousHeader() });

    expect(await get(path)).toMatchObject({ status: 200, data: { received: 0 } });
    expect(await get(`x${path}`)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  test.each<[string, unknown]>([
    ['text instead of a list', { pix: 'x' }],
    ['more than a thousand notices', { pix: Array.from({ length: 1001 }, () => ({})) }],
    ['broken JSON', '{"pix":['],
  ])('(%s) is refused', async (_what, body) => {
    expect(await post(CALLBACK_SECRET, body)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test.each(['outro-segredo-dos-avisos', `${CALLBACK_SECRET}x`, CALLBACK_SECRET.slice(0, -1)])(
    'with the secret %s is refused with 404',
    async (secret) => {
      const body = { pix: [noticeOf(newId())] };
      for (const path of [secret, `${secret}/pix`])
        expect(await post(path, body)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    },
  );
});
