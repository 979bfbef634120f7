import { type AlarmPartQuery, type AlarmView, alarmPartQuery } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import type { Verifier } from './identity.ts';
import type { GaugeSample } from './metrics.ts';
import { demandService } from './serve.ts';
import { validate } from './validation.ts';

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
    return ['plataforma_alarms_open', { subject }, count];
  });
}

export function noSuchAlarm(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no alarm with this id');
}

export function alarmIsSettled(): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', 'the alarm is settled already');
}
