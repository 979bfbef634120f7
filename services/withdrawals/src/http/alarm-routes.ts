import { type AlarmView, api } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { type Router, serveOperator } from '@plataforma/http';
import { closeAlarm, operatorsFor, serveAlarms } from '@plataforma/service';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { isBooksMismatch } from '../domain/proof.ts';
import { listAlarms } from '../store/lists.ts';
import { lockAlarm, type SettleableAlarm, saveSettlement } from '../store/payout-alarms.ts';
import { acceptPosition } from '../store/wallet-proofs.ts';
import { reportedEnd } from './views.ts';

export function alarmRoutes(
  router: Router,
  { verifier, database, clock, operators }: WithdrawalsDependencies,
): void {
  const closing = {
    database,
    clock,
    lock: lockAlarm,
    save: async (tx: Transaction, alarm: SettleableAlarm) => {
      await saveSettlement(tx, alarm);
      if (alarm.settledAt && alarm.offer) await acceptPosition(tx, alarm, alarm.offer);
    },
    describe: ({ withdrawalId, kind, offer, settledAt, proposedBy }: SettleableAlarm) => ({
      withdrawalId,
      ...(isBooksMismatch(kind)
        ? { kind, accepted: settledAt && offer, proposedBy }
        : { reported: reportedEnd(kind) }),
    }),
  };
  /**
   * Two operators must close an alarm if closing it accepts the ledger's records, because the platform may
   * then pay out money without a source.
   */
  const takesTwo = async () => ({
    of: ({ offer }: SettleableAlarm) => offer !== null,
    active: operatorsFor(api.settleAlarmOfWithdrawals, await operators()),
  });
  serveAlarms(router, {
    verifier,
    read: async (query) => {
      const { total, alarms } = await listAlarms(database, query);
      return { total, alarms: alarms.map(view) };
    },
  });
  serveOperator(router, api.settleAlarmOfWithdrawals, {
    verifier,
    answer: async ({ params: { id }, body: { note } }, { operatorId }) => {
      const by = { ...closing, takesTwo: await takesTwo() };
      const alarm = await closeAlarm(by, { id, note, operatorId });
      return { data: view(alarm), status: alarm.settledAt ? 200 : 202 };
    },
  });
}

function view(alarm: SettleableAlarm): AlarmView {
  const { id, withdrawalId, merchantId, environment, kind, amount, providerTxId, settledBy, note } = alarm;
  return {
    ...{ id, service: 'withdrawals', subject: 'payout', subjectId: withdrawalId, chargeId: null },
    ...{ merchantId, environment, kind, amount, providerReference: providerTxId },
    raisedAt: alarm.createdAt.toISOString(),
    settledAt: alarm.settledAt?.toISOString() ?? null,
    ...{ settledBy, note, settlingProposedBy: alarm.proposedBy },
  };
}
