import { beforeAll, describe, expect, test } from '@jest/globals';
import { alarmPart, api } from '@plataforma/contracts';
import { cursorOf } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import type { Followed } from '../payout/support/payouts.ts';
import { serviceHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { pending, pendingTed, states } from './support/states.ts';

const world = worldOfFile(startWorld);
let all: Record<string, Followed>;

beforeAll(async () => {
  all = {};
  for (const [name, reach] of Object.entries(states)) all[name] = await reach(world);
});

const page = z.array(api.listAllWithdrawals.data);

async function idsOf(query: string): Promise<string[]> {
  return page.parse((await world.client.asOperator(`/withdrawals${query}`)).data).map(({ id }) => id);
}
const idOf = (state: string) => all[state]?.id ?? '';
const longAgo = (id: string) =>
  world.database.query(`UPDATE withdrawals SET started_at = now() - interval '11 min' WHERE id = $1`, [id]);

describe('the operators’ list', () => {
  test('has the withdrawals of all merchants, newest first', async () => {
    const newestFirst = Object.values(all)
      .map(({ id }) => id)
      .reverse();

    expect(await idsOf('')).toEqual(newestFirst);
  });

  test.each(['PENDING', 'APPROVED', 'COMPLETED', 'FAILED', 'REJECTED'])(
    'filters by status %s',
    async (status) => {
      expect(await idsOf(`?status=${status}`)).toEqual([idOf(status)]);
    },
  );

  test('filters by method, merchant and environment', async () => {
    const ted = idOf('PROCESSING, a TED');
    const { merchantId } = all.REJECTED?.tenant ?? {};

    expect(await idsOf('?method=TED')).toEqual([ted]);
    expect(await idsOf('?environment=sandbox')).toEqual([ted]);
    expect(await idsOf('?method=TED&environment=production')).toEqual([]);
    expect(await idsOf(`?merchantId=${merchantId}`)).toEqual([idOf('REJECTED')]);
    expect(await idsOf(`?merchantId=${newId()}`)).toEqual([]);
  });

  test('filters stuck Pix payouts but no TED', async () => {
    expect(await idsOf('?stuck=true')).toEqual([]);

    for (const state of ['PROCESSING', 'PROCESSING, a TED', 'COMPLETED', 'FAILED'])
      await longAgo(idOf(state));

    expect(await idsOf('?stuck=true')).toEqual([idOf('PROCESSING')]);
    expect(await idsOf('?stuck=true&status=FAILED')).toEqual([]);
  });

  test('counts a payout’s checks and names the next one', async () => {
    const { data } = await world.client.asOperator(`/withdrawals/${idOf('PROCESSING')}`);

    expect(data).toMatchObject({
      status: 'PROCESSING',
      checks: expect.any(Number),
      startedAt: expect.any(String),
      nextCheckAt: expect.any(String),
      providerTxId: world.bank.payoutOf(idOf('PROCESSING'))?.endToEndId,
      alarms: [],
    });
  });

  test('omits unfinished, refused and abandoned withdrawals', async () => {
    const before = await idsOf('');
    const [one, two, three] = [await pending(world), await pending(world), await pendingTed(world)];
    const unseen = `UPDATE withdrawals SET status = $2, ended_at = CASE WHEN $2 <> 'DEBITING' THEN now() END
      WHERE id = $1`;
    await world.database.query(unseen, [one.id, 'DEBITING']);
    await world.database.query(unseen, [two.id, 'REFUSED']);
    await world.database.query(unseen, [three.id, 'ABANDONED']);

    expect(await idsOf('')).toEqual(before);
  });
});

describe('the list of alarms', () => {
  const alarmsFor = async (query: string) => {
    const headers = serviceHeader();
    const { data } = await world.client.send(`/internal/alarms?${query}`, { method: 'GET', headers });
    return alarmPart.parse(data);
  };

  test('is filtered by merchant and environment, and comes in pages', async () => {
    const tenants = [world.newMerchant(), world.newMerchant({}, 'production')];
    const insert = `INSERT INTO payout_alarms
      SELECT $1, id, $2, $3, 'FAILED', 'COMPLETED', 'E1', now() FROM withdrawals WHERE id = $4`;
    for (const [i, { merchantId, environment }] of tenants.entries()) {
      const id = Object.values(all)[i]?.id;
      await world.database.query(insert, [newId(), merchantId, environment, id]);
    }
    const alarms = async (query: string) => (await world.client.asOperator(`/payout-alarms${query}`)).meta;

    expect(await alarms('?limit=1')).toMatchObject({ total: 2, pages: 2 });
    expect(await alarms(`?merchantId=${tenants[0]?.merchantId}`)).toMatchObject({ total: 1 });
    expect(await alarms('?environment=production')).toMatchObject({ total: 1 });
    expect(await world.client.asOperator('/payout-alarms?told=COMPLETED')).toMatchObject({ status: 400 });
    const [first, ...others] = (await alarmsFor('newest=1')).alarms;
    expect([first, others]).toMatchObject([{ service: 'withdrawals', kind: 'DONE_AFTER_FAILED' }, []]);
    expect(await alarmsFor('newest=9&environment=production')).toMatchObject({ total: 1 });
    const behind = cursorOf({ page: 2, values: [first?.raisedAt ?? '', first?.id ?? ''] });
    const second = await alarmsFor(`newest=9&after=${behind}`);
    expect([second.total, second.alarms.length]).toEqual([2, 1]);
    expect(second.alarms).not.toContainEqual(first);
  });
});
