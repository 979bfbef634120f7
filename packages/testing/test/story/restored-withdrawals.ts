import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { backUp } from './backup.ts';
import type { Client } from './client.ts';
import { openTill, type Till } from './till.ts';
import type { Cast } from './world.ts';

const because = { note: 'withdrawals restaurado sozinho' };

/**
 * Tests a restore of the withdrawals database alone, while the ledger and the provider have newer records
 * than the backup.
 */
export function testRestoredWithdrawals(cast: () => Cast): void {
  let world: Cast;
  let till: Till;
  let merchant: Client;
  let operator: Client;

  beforeAll(async () => {
    world = cast();
    ({ merchant, operator } = world);
    till = await openTill(world);
  });

  async function ordered(pixKey: string, pixKeyType: string) {
    const { data } = await merchant.post('/v1/withdrawals', { amount: 5_000, pixKey, pixKeyType });
    const now = async () => (await merchant.get(`/v1/withdrawals/${data.id}`)).data;
    const becomes = (expected: object) => eventually(async () => expect(await now()).toMatchObject(expected));
    return { id: data.id, becomes };
  }

  const alarmsOf = async (id: unknown) =>
    (await operator.get('/v1/admin/alarms?limit=100')).list.filter(({ subjectId }) => subjectId === id);

  async function startPayouts(): Promise<void> {
    const { list } = await operator.get('/v1/admin/stops?ended=false');
    for (const { id } of list) await operator.post(`/v1/admin/stops/${id}/start`);
  }

  test('ends an already failed payout again without a second credit', async () => {
    await till.aPaidCharge(20_000);
    await operator.post('/v1/admin/stops', { what: 'payouts', reason: 'antes da cópia' });
    const before = Number((await till.balance()).availableBalance);
    const withdrawal = await ordered('fail@sandbox.test', 'EMAIL');
    await withdrawal.becomes({ status: 'APPROVED', waitingFor: { what: 'stop' } });
    const restore = await backUp(world.platform.databaseUrls.withdrawals);
    await startPayouts();
    await withdrawal.becomes({ status: 'FAILED' });
    await eventually(async () => expect((await till.balance()).availableBalance).toBe(before));

    await world.platform.services.withdrawals.kill();
    await restore();
    await world.platform.services.withdrawals.start();

    await withdrawal.becomes({ status: 'APPROVED', waitingFor: { what: 'stop' } });
    await startPayouts();
    await withdrawal.becomes({ status: 'APPROVED', waitingFor: { what: 'review' } });
    // The restored database does not contain the record that this money was returned to the merchant's
    // balance.
    const alarm = { kind: 'UNPROVEN_CREDIT', amount: 5_000 };
    expect(await alarmsOf(withdrawal.id)).toMatchObject([{ ...alarm, settledAt: null }]);
    const path = `/v1/admin/withdrawals/${withdrawal.id}`;
    await eventually(async () =>
      expect(await operator.post(`${path}/debit`, because)).toMatchObject({
        ...{ status: 409, body: { error: { message: expect.stringContaining('fail it instead') } } },
      }),
    );
    await eventually(async () =>
      expect(await operator.post(`${path}/fail-undebited`, because)).toMatchObject({
        ...{ status: 200, data: { status: 'FAILED', failureReason: 'account_not_found' } },
      }),
    );

    expect(await alarmsOf(withdrawal.id)).toMatchObject([{ ...alarm, settledAt: expect.any(String) }]);
    const next = await ordered(randomUUID(), 'EVP');
    await next.becomes({ status: 'COMPLETED' });
    expect((await till.balance()).availableBalance).toBe(before - 5_000);
    expect((await operator.get('/v1/admin/ledger/verify')).data).toMatchObject({ differences: [] });
  });
}
