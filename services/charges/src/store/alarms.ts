import type { AlarmPartQuery } from '@plataforma/contracts';
import {
  byMillisecond,
  columnsOf,
  type Database,
  type Queryable,
  type Row,
  readRows,
  type Transaction,
} from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { openAlarmGauges } from '@plataforma/service';
import type { NewAlarm } from './new-alarms.ts';

export interface Alarm extends Omit<NewAlarm, 'at' | 'providerReference'> {
  id: string;
  providerReference: string | null;
  raisedAt: Date;
  settledAt: Date | null;
  settledBy: string | null;
  note: string | null;
}

const COLUMNS = columnsOf(`
  id, subject, subject_id, charge_id, merchant_id, environment, kind, amount_cents AS amount,
  created_at AS raisedAt,
  settled_at, settled_by, note, provider_reference`);

/** Returns the newest matching alarms, and the number of all matches. */
export async function listAlarms(
  db: Queryable,
  query: AlarmPartQuery,
): Promise<{ total: number; alarms: Alarm[] }> {
  const matching = byMillisecond('alarms', 'created_at', COLUMNS);
  if (query.merchantId) matching.where('merchant_id', query.merchantId);
  if (query.environment) matching.where('environment', query.environment);
  if (query.settled === 'true') matching.whereNotNull('settled_at');
  if (query.settled === 'false') matching.whereNull('settled_at');
  const slice = { page: 1, limit: query.newest, after: query.after };
  const { items: alarms, total } = await readRows<Alarm>(db, { matching }, slice);
  return { total, alarms };
}

const LOCK = `SELECT ${COLUMNS.join(', ')} FROM alarms WHERE id = $1 FOR UPDATE`;

export async function lockAlarm(tx: Transaction, id: string): Promise<Alarm | null> {
  const [alarm] = await tx.query<Alarm & Row>(LOCK, [id]);
  return alarm ?? null;
}

const CLOSE = 'UPDATE alarms SET settled_at = $2, settled_by = $3, note = $4 WHERE id = $1';

export async function saveSettlement(
  tx: Transaction,
  { id, settledAt, settledBy, note }: Alarm,
): Promise<void> {
  await tx.query(CLOSE, [id, settledAt, settledBy, note]);
}

const COUNT_OPEN =
  'SELECT subject, count(*)::integer AS count FROM alarms WHERE settled_at IS NULL GROUP BY subject';

/** Counts, for each subject, the alarms that no operator has resolved. */
export async function readOpenAlarms(database: Database): Promise<GaugeSample[]> {
  const rows = await database.query<{ subject: NewAlarm['subject']; count: number }>(COUNT_OPEN);
  return openAlarmGauges(['refund', 'return', 'card', 'payment'], rows);
}
