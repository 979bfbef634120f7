import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { agreeingWorld, type Followed } from '../payout/support/payouts.ts';
import { startWorld } from '../support/world.ts';
import { approvalOf, approveInRowOf } from './support/approvals-in-rows.ts';
import { pending } from './support/states.ts';

const world = agreeingWorld(startWorld);
const approveInRow = approveInRowOf(world);
const refused = { status: 403, error: { code: 'FORBIDDEN' } };

describe('an approved withdrawal without enough signed approvals', () => {
  const large = { amount: 5_000_001 };
  const forgedBy = (): [string, string | null] => [newId(), null];
  const needing = async (needed: 0 | 1 | 2, order: Record<string, unknown> = {}) => {
    const withdrawal = await pending(world, order);
    const sql = 'UPDATE withdrawals SET approvals_needed = $2 WHERE id = $1';
    await world.database.query(sql, [withdrawal.id, needed]);
    return withdrawal;
  };
  const waitOf = async ({ id }: Followed) =>
    (await world.client.asOperator(`/withdrawals/${id}`)).data as { waitingFor: unknown };
  const waitsFor = (who: string) => ({
    status: 'APPROVED',
    waitingFor: { what: 'approval', who, until: null, reason: null },
  });

  test('waits for a second operator, who can approve it', async () => {
    const withdrawal = await needing(1, large);
    const [one, other] = [newId(), newId()];
    await approveInRow(withdrawal, [[one, approvalOf(withdrawal, one)]]);

    expect(await waitOf(withdrawal)).toMatchObject(waitsFor('second_operator'));
    expect(await withdrawal.now()).toMatchObject(waitsFor('second_operator'));
    expect(await world.client.approve(withdrawal.id, one)).toMatchObject(refused);
    expect(await world.client.approve(withdrawal.id, other)).toMatchObject({
      ...{ status: 200, data: { status: 'APPROVED', approvedBy: [one, other], waitingFor: null } },
    });
    await withdrawal.becomes('COMPLETED');
  });

  test('waits for two operators if none approved it', async () => {
    const withdrawal = await needing(0, large);
    await approveInRow(withdrawal, []);

    expect(await waitOf(withdrawal)).toMatchObject(waitsFor('two_operators'));
    expect(await world.client.approve(withdrawal.id, newId())).toMatchObject({
      data: waitsFor('second_operator'),
    });
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);
    await world.client.approve(withdrawal.id, newId());
    await withdrawal.becomes('COMPLETED');
  });

  test('replaces approvals that the gateway did not sign', async () => {
    const [single, double] = [await needing(1), await needing(2)];
    const [one, other] = [newId(), newId()];
    await approveInRow(single, [forgedBy()]);
    await approveInRow(double, [forgedBy(), forgedBy()]);
    expect(await waitOf(single)).toMatchObject(waitsFor('one_operator'));
    expect(await waitOf(double)).toMatchObject(waitsFor('two_operators'));
    expect(await world.client.approve(single.id, one)).toMatchObject({ data: { approvedBy: [one] } });
    expect(await world.client.approve(double.id, one)).toMatchObject({ data: waitsFor('second_operator') });
    expect(await world.client.approve(double.id, other)).toMatchObject({
      data: { approvedBy: [one, other], waitingFor: null },
    });
    for (const each of [single, double]) await each.becomes('COMPLETED');
  });

  test('accepts one of two simultaneous approvals', async () => {
    const withdrawal = await needing(1);
    await approveInRow(withdrawal, [forgedBy()]);

    const answers = await Promise.all(
      [newId(), newId()].map((by) => world.client.approve(withdrawal.id, by)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await withdrawal.becomes('COMPLETED');
  });

  test('is not approved beyond the sums of the day or for a suspended merchant', async () => {
    const { id, tenant } = await needing(1);
    await approveInRow({ id }, [forgedBy()]);
    world.gateway.allowAlone(false);
    const answer = await world.client.approve(id, newId()).finally(() => world.gateway.allowAlone(true));
    await world.setMerchantStatus(tenant, 'SUSPENDED');

    expect([answer, await world.client.approve(id, newId())]).toMatchObject([refused, { status: 409 }]);
  });
});
