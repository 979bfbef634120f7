import { type AlarmView, api } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { type Router, serveOperator, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { serveAlarms, settleAlarm } from '@plataforma/service';
import { isDoubt } from '../domain/proof.ts';
import { listAlarms } from '../store/lists.ts';
import { lockAlarm, type SettleableAlarm, saveSettlement } from '../store/payout-alarms.ts';
import { acceptPosition } from '../store/wallet-proofs.ts';
import { toldBy } from './views.ts';

interface AlarmRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
}

export function alarmRoutes(router: Router, { verifier, database, clock }: AlarmRoutes): void {
  const settling = {
    database,
    clock,
    lock: lockAlarm,
    save: async (tx: Transaction, alarm: SettleableAlarm) => {
      await saveSettlement(tx, alarm);
      if (alarm.offer) await acceptPosition(tx, alarm, alarm.offer);
    },
    describe: ({ withdrawalId, kind, offer }: SettleableAlarm) => ({
      withdrawalId,
      ...(isDoubt(kind) ? { kind, accepted: offer } : { told: toldBy(kind) }),
    }),
  };
  serveAlarms(router, {
    verifier,
    read: async (query) => {
      const { total, alarms } = await listAlarms(database, query);
      return { total, alarms: alarms.map(view) };
    },
  });
  serveOperator(router, api.settleAlarmOfWithdrawals, {
    verifier,
    answer: async ({ params: { id }, body: { note } }, { operatorId }) => ({
      data: view(await settleAlarm(settling, { id, note, operatorId })),
    }),
  });
}

function view(alarm: SettleableAlarm): AlarmView {
  const { id, withdrawalId, merchantId, environment, kind, amount, providerTxId, settledBy, note } = alarm;
  return {
    ...{ id, service: 'withdrawals', subject: 'payout', subjectId: withdrawalId, chargeId: null },
    ...{ merchantId, environment, kind, amount, providerReference: providerTxId },
    raisedAt: alarm.createdAt.toISOString(),
    settledAt: alarm.settledAt?.toISOString() ?? null,
    ...{ settledBy, note },
  };
}
