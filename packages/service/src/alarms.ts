import { type AlarmPartQuery, type AlarmView, alarmPartQuery } from '@plataforma/contracts';
import { type Database, type Transaction, writeAudit } from '@plataforma/data';
import { demandService, type Verifier, validate } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import type { IRouter } from 'express';
import { metrics } from './metrics.ts';

interface ServeAlarms {
  verifier: Verifier;
  read: (query: AlarmPartQuery) => Promise<{ total: number; alarms: AlarmView[] }>;
}

/** Tells the gateway what this service has raised alarms about. */
export function serveAlarms(router: IRouter, { verifier, read }: ServeAlarms): void {
  router.get('/internal/alarms', async (req, res) => {
    demandService(req, verifier, 'gateway');
    res.json({ success: true, data: await read(validate(alarmPartQuery, req.query)) });
  });
}

/** The gauges of all these subjects; where there is no row, none is open. */
export function openAlarmGauges(
  subjects: readonly AlarmView['subject'][],
  rows: readonly { subject: AlarmView['subject']; count: number }[],
): GaugeSample[] {
  return subjects.map((subject) => {
    const count = rows.find((row) => row.subject === subject)?.count ?? 0;
    return metrics.gauge('plataforma_alarms_open', { subject }, count);
  });
}

interface Settled {
  settledAt: Date | null;
  settledBy: string | null;
  note: string | null;
}

interface SettleAlarm<Alarm extends Settled> {
  database: Database;
  clock: Clock;
  /** Locks it; null: there is none. */
  lock: (tx: Transaction, id: string) => Promise<Alarm | null>;
  save: (tx: Transaction, alarm: Alarm) => Promise<void>;
  /** What the audit log is to say of it. */
  describe: (alarm: Alarm) => Record<string, unknown>;
}

/** Notes how an operator has settled what a provider says against the record; once, else INVALID_STATE. */
export async function settleAlarm<Alarm extends Settled>(
  { database, clock, lock, save, describe }: SettleAlarm<Alarm>,
  { id, note, operatorId }: { id: string; note: string; operatorId: string },
): Promise<Alarm> {
  return database.transaction(async (tx) => {
    const alarm = await lock(tx, id);
    if (!alarm) throw new Refusal('missing', 'NOT_FOUND', 'there is no alarm with this id');
    if (alarm.settledAt) throw new Refusal('conflict', 'INVALID_STATE', 'the alarm is settled already');
    const settled = { ...alarm, settledAt: clock(), settledBy: operatorId, note };
    await save(tx, settled);
    await writeAudit(tx, {
      ...{ operatorId, action: 'alarm.settle', subjectId: id, reason: note },
      before: { settled: false },
      after: { settled: true, ...describe(alarm) },
    });
    return settled;
  });
}
