import { alarmIsSettled, type Database, noSuchAlarm, writeAudit } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { type Alarm, lockAlarm, saveSettlement } from '../store/alarms.ts';

interface Settlement {
  id: string;
  note: string;
  operatorId: string;
}

/** Notes how an operator has settled what the provider says against the record; once. */
export async function settleAlarm(
  { database, clock }: { database: Database; clock: Clock },
  { id, note, operatorId }: Settlement,
): Promise<Alarm> {
  return database.transaction(async (tx) => {
    const alarm = await lockAlarm(tx, id);
    if (!alarm) throw noSuchAlarm();
    if (alarm.settledAt) throw alarmIsSettled();
    const settled = { ...alarm, settledAt: clock(), settledBy: operatorId, note };
    await saveSettlement(tx, settled);
    await writeAudit(tx, {
      operatorId,
      action: 'alarm.settle',
      subjectId: id,
      before: { settled: false },
      after: { settled: true, subjectId: alarm.subjectId, kind: alarm.kind },
      reason: note,
    });
    return settled;
  });
}
