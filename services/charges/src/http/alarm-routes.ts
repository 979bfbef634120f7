import { type AlarmView, api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Router, serveOperator, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { closeAlarm, serveAlarms } from '@plataforma/service';
import { type Alarm, listAlarms, lockAlarm, saveSettlement } from '../store/alarms.ts';

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
      data: alarmView(await closeAlarm(settling, { id, note, operatorId })),
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
