import { expect } from '@jest/globals';
import { alarmPart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { decisionOf } from '../../support/client.ts';
import { operatorHeader, serviceHeader } from '../../support/identity.ts';
import type { World } from '../../support/world.ts';
import { type Followed, followed } from './payouts.ts';

export function blockedPayoutsIn(world: World) {
  const leaseOf = ({ id }: Followed) =>
    world.database.query('SELECT lease_token FROM withdrawals WHERE id = $1', [id]);

  /**
   * Makes the fake ledger hide a merchant's debits until it receives a new debit, as after a restore of the
   * ledger.
   */
  function forgetDebits(merchantId: string): void {
    const { ledger } = world;
    const before = ledger.debitRequests.filter((debit) => debit.merchantId === merchantId).length;
    ledger.prove(merchantId, (proof) => {
      const now = ledger.debitRequests.filter((debit) => debit.merchantId === merchantId).length;
      return now > Math.max(1, before) ? proof : { ...proof, debit: null };
    });
  }

  async function isBlocked(withdrawal: Followed): Promise<Followed> {
    await eventually(async () =>
      expect(await withdrawal.now()).toMatchObject({ status: 'APPROVED', waitingFor: { what: 'review' } }),
    );
    await eventually(async () => expect(await leaseOf(withdrawal)).toEqual([{ lease_token: null }]));
    return withdrawal;
  }

  type Operator = ReturnType<World['stopControls']['hire']>;
  const settleAs = (alarm: { id: string } | undefined, operator: Operator) =>
    world.client.send(`/v1/admin/withdrawals/alarms/${alarm?.id}/settle`, {
      ...{ method: 'POST', headers: operatorHeader(operator), body: { note: 'conferido' } },
    });

  return {
    forgetDebits,
    isBlocked,
    async blocked(): Promise<Followed> {
      const tenant = world.newMerchant();
      forgetDebits(tenant.merchantId);
      return isBlocked(followed(world, tenant, await world.client.newWithdrawal(tenant)));
    },
    decide({ id }: { id: string }, verb: 'debit' | 'fail-undebited', operatorId = newId()) {
      const path = `/v1/admin/withdrawals/${id}/${verb}`;
      return world.client.send(path, decisionOf(path, { operatorId, body: { note: 'ledger restaurado' } }));
    },
    settleAs,
    /** Closes an alarm with the approval of two operators. Returns the id of the second operator. */
    async closeAlarm(alarm: { id: string } | undefined): Promise<string> {
      const [first, second] = [world.stopControls.hire(), world.stopControls.hire()];
      const statuses = [(await settleAs(alarm, first)).status, (await settleAs(alarm, second)).status];
      expect(statuses).toEqual([202, 200]);
      return second.operatorId;
    },
    alarmsOf: async ({ id, tenant: { merchantId } }: Followed) => {
      const path = `/internal/alarms?newest=9&merchantId=${merchantId}`;
      const { data } = await world.client.send(path, { method: 'GET', headers: serviceHeader() });
      return alarmPart.parse(data).alarms.filter(({ subjectId }) => subjectId === id);
    },
    auditOf: ({ id }: { id: string }) =>
      world.database.query(
        'SELECT operator_id, action, reason, after FROM audit_log WHERE subject_id = $1 ORDER BY sequence',
        [id],
      ),
  };
}
