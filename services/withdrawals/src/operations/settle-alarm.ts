import { alarmIsSettled, type Database, noSuchAlarm, writeAudit } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { lockAlarm, type SettleableAlarm, saveSettlement } from '../store/payout-alarms.ts';

interface Settlement {
  id: string;
  note: string;
  operatorId: string;
}

/** Notes how an operator has settled what the provider says against the record; once. */
export async function settleAlarm(
  { database, clock }: { database: Database; clock: Clock },
  { id, note, operatorId }: Settlement,
): Promise<SettleableAlarm> {
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
      after: { settled: true, withdrawalId: alarm.withdrawalId, told: alarm.told },
      reason: note,
    });
    return settled;
  });
}
