import { type AlarmPartQuery, type AlarmView, alarmPartQuery } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { requireService, type Verifier, validate } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { writeAudit } from '@plataforma/tables';
import type { IRouter } from 'express';
import { metrics } from './metrics.ts';
import { type Asking, decideApproval } from './second-operator.ts';

interface ServeAlarms {
  verifier: Verifier;
  read: (query: AlarmPartQuery) => Promise<{ total: number; alarms: AlarmView[] }>;
}

export function serveAlarms(router: IRouter, { verifier, read }: ServeAlarms): void {
  router.get('/internal/alarms', async (req, res) => {
    requireService(req, verifier, 'gateway');
    res.json({ success: true, data: await read(validate(alarmPartQuery, req.query)) });
  });
}

/** Returns one gauge for each subject. A subject without a row has no open alarm. */
export function openAlarmGauges(
  subjects: readonly AlarmView['subject'][],
  rows: readonly { subject: AlarmView['subject']; count: number }[],
): GaugeSample[] {
  return subjects.map((subject) => {
    const count = rows.find((row) => row.subject === subject)?.count ?? 0;
    return metrics.gauge('plataforma_alarms_open', { subject }, count);
  });
}

interface ClosableAlarm {
  settledAt: Date | null;
  settledBy: string | null;
  note: string | null;
  /** The operator who first requested to close the alarm, if two operators must close it. */
  proposedBy?: string | null;
  proposedAt?: Date | null;
  /** The time when the alarm was opened or reopened. Earlier requests to close it no longer count. */
  createdAt?: Date;
}

interface CloseAlarm<Alarm extends ClosableAlarm> {
  database: Database;
  clock: Clock;
  /** Locks and returns the alarm, or returns null when it does not exist. */
  lock: (tx: Transaction, id: string) => Promise<Alarm | null>;
  save: (tx: Transaction, alarm: Alarm) => Promise<void>;
  /** Returns the fields of the alarm for the audit log. */
  describe: (alarm: Alarm) => Record<string, unknown>;
  /**
   * Selects the alarms that two operators must close, and lists the active operators. A single operator
   * closes them alone. Without this field, one operator closes each alarm.
   */
  takesTwo?: { of: (alarm: Alarm) => boolean; active: Asking['active'] };
}

/**
 * Closes an open alarm. If the alarm needs two operators, the first request is only recorded. Refuses a
 * closed alarm with INVALID_STATE.
 */
export async function closeAlarm<Alarm extends ClosableAlarm>(
  { database, clock, lock, save, describe, takesTwo }: CloseAlarm<Alarm>,
  { id, note, operatorId }: { id: string; note: string; operatorId: string },
): Promise<Alarm> {
  return database.transaction(async (tx) => {
    const alarm = await lock(tx, id);
    if (!alarm) throw new Refusal('missing', 'NOT_FOUND', 'there is no alarm with this id');
    if (alarm.settledAt) throw new Refusal('conflict', 'INVALID_STATE', 'the alarm is settled already');
    const now = clock();
    const approval = takesTwo?.of(alarm)
      ? decideClosing(alarm, { operatorId, active: takesTwo.active, now })
      : null;
    if (approval === 'same') return alarm;
    const isClosed = approval !== 'first';
    const proposal = approval === 'alone' ? { proposedBy: null, proposedAt: null } : {};
    const after = isClosed
      ? { ...alarm, ...proposal, settledAt: now, settledBy: operatorId, note }
      : { ...alarm, proposedBy: operatorId, proposedAt: now };
    await save(tx, after);
    await writeAudit(tx, {
      ...{
        operatorId,
        action: isClosed ? 'alarm.settle' : 'alarm.propose_settle',
        subjectId: id,
        reason: note,
      },
      before: { settled: false },
      after: { settled: isClosed, ...describe(after), ...(approval && { isAlone: approval === 'alone' }) },
    });
    return after;
  });
}

function decideClosing({ proposedBy, proposedAt, createdAt }: ClosableAlarm, asking: Asking) {
  const isOfThis = proposedBy && proposedAt && !(createdAt && proposedAt < createdAt);
  return decideApproval(isOfThis ? { by: proposedBy, at: proposedAt } : null, asking);
}
