import { type AlarmView, api } from '@plataforma/contracts';
import { type Router, serveOperator } from '@plataforma/http';
import { closeAlarm, serveAlarms } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';
import { type Alarm, listAlarms, lockAlarm, saveSettlement } from '../store/alarms.ts';

export function alarmRoutes(router: Router, { verifier, database, clock }: ChargesDependencies): void {
  const closing = {
    database,
    clock,
    lock: lockAlarm,
    save: saveSettlement,
    describe: ({ subjectId, kind }: Alarm) => ({ subjectId, kind }),
  };
  serveAlarms(router, {
    verifier,
    read: async (query) => {
      const { total, alarms } = await listAlarms(database, query);
      return { total, alarms: alarms.map(alarmView) };
    },
  });
  serveOperator(router, api.settleAlarmOfCharges, {
    verifier,
    answer: async ({ params: { id }, body: { note } }, { operatorId }) => ({
      data: alarmView(await closeAlarm(closing, { id, note, operatorId })),
    }),
  });
}

function alarmView({ raisedAt, settledAt, ...alarm }: Alarm): AlarmView {
  return {
    ...alarm,
    service: 'charges',
    settlingProposedBy: null,
    raisedAt: raisedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
  };
}
