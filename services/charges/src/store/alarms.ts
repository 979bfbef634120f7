import {
  type Database,
  type GaugeSample,
  openAlarmGauges,
  type Queryable,
  readPage,
  composeSql as sql,
  type Transaction,
} from '@plataforma/chassis';
import type { AlarmPartQuery } from '@plataforma/contracts';
import { type Cents, type Environment, newId } from '@plataforma/kernel';
import type { Alarm as WorkAlarm } from '@plataforma/work';
import type { Charge } from '../domain/charge.ts';

/** What a provider says that contradicts the record, for operators to settle. */
export interface NewAlarm {
  subject: 'refund' | 'return' | 'card';
  subjectId: string;
  chargeId: string | null;
  merchantId: string | null;
  environment: Environment;
  kind: WorkAlarm['kind'];
  amount: Cents;
  at: Date;
}

export interface Alarm extends Omit<NewAlarm, 'at'> {
  id: string;
  raisedAt: Date;
  settledAt: Date | null;
  settledBy: string | null;
  note: string | null;
}

const RAISE = `
  INSERT INTO alarms
    (id, subject, subject_id, charge_id, merchant_id, environment, kind, amount_cents, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (subject_id, kind) DO NOTHING
  RETURNING id`;

/** Once for each kind and subject; false: it was raised before. */
export async function raiseAlarm(tx: Transaction, alarm: NewAlarm): Promise<boolean> {
  const { subject, subjectId, chargeId, merchantId, environment, kind, amount, at } = alarm;
  const values = [newId(), subject, subjectId, chargeId, merchantId, environment, kind, amount, at];
  return (await tx.query(RAISE, values)).length === 1;
}

/** Of the payment of a card charge. */
export function cardAlarm(
  { id, merchantId, environment }: Charge,
  { kind, amount }: Pick<NewAlarm, 'kind' | 'amount'>,
  at: Date,
): NewAlarm {
  return { subject: 'card', subjectId: id, chargeId: id, merchantId, environment, kind, amount, at };
}

const COLUMNS = [
  'id',
  'subject',
  'subject_id',
  'charge_id',
  'merchant_id',
  'environment',
  'kind',
  'amount_cents',
  'created_at',
  'settled_at',
  'settled_by',
  'note',
] as const;

interface AlarmRow {
  id: string;
  subject: NewAlarm['subject'];
  subject_id: string;
  charge_id: string | null;
  merchant_id: string | null;
  environment: Environment;
  kind: NewAlarm['kind'];
  amount_cents: number;
  created_at: Date;
  settled_at: Date | null;
  settled_by: string | null;
  note: string | null;
  [column: string]: unknown;
}

/** The newest of those that match, and how many do. */
export async function listAlarms(
  db: Queryable,
  query: AlarmPartQuery,
): Promise<{ total: number; alarms: Alarm[] }> {
  const matching = sql('alarms').select(COLUMNS);
  if (query.merchantId) matching.where('merchant_id', query.merchantId);
  if (query.environment) matching.where('environment', query.environment);
  if (query.settled === 'true') matching.whereNotNull('settled_at');
  if (query.settled === 'false') matching.whereNull('settled_at');
  const { rows, total } = await readPage<AlarmRow>(db, matching, { page: 1, limit: query.newest });
  return { total, alarms: rows.map(alarmOf) };
}

const LOCK = `SELECT ${COLUMNS.join(', ')} FROM alarms WHERE id = $1 FOR UPDATE`;

export async function lockAlarm(tx: Transaction, id: string): Promise<Alarm | null> {
  const [row] = await tx.query<AlarmRow>(LOCK, [id]);
  return row ? alarmOf(row) : null;
}

const SETTLE = 'UPDATE alarms SET settled_at = $2, settled_by = $3, note = $4 WHERE id = $1';

export async function saveSettlement(
  tx: Transaction,
  { id, settledAt, settledBy, note }: Alarm,
): Promise<void> {
  await tx.query(SETTLE, [id, settledAt, settledBy, note]);
}

const COUNT_OPEN =
  'SELECT subject, count(*)::integer AS count FROM alarms WHERE settled_at IS NULL GROUP BY subject';

/** How many of each sort no operator has settled. */
export async function readOpenAlarms(database: Database): Promise<GaugeSample[]> {
  const rows = await database.query<{ subject: NewAlarm['subject']; count: number }>(COUNT_OPEN);
  return openAlarmGauges(['refund', 'return', 'card'], rows);
}

function alarmOf(row: AlarmRow): Alarm {
  return {
    id: row.id,
    subject: row.subject,
    subjectId: row.subject_id,
    chargeId: row.charge_id,
    merchantId: row.merchant_id,
    environment: row.environment,
    kind: row.kind,
    amount: row.amount_cents,
    raisedAt: row.created_at,
    settledAt: row.settled_at,
    settledBy: row.settled_by,
    note: row.note,
  };
}
