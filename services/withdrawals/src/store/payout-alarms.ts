import type { AlarmView } from '@plataforma/contracts';
import { columnsOf, type Database, namesOf, type Queryable, type Transaction } from '@plataforma/data';
import type { Cents, Environment } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { openAlarmGauges } from '@plataforma/service';

/**
 * An alarm about a payout. If `recorded` is APPROVED, the ledger's records could not be verified. Otherwise
 * the provider's report contradicts the payout's status.
 */
export interface PayoutAlarm {
  id: string;
  withdrawalId: string;
  merchantId: string;
  environment: Environment;
  recorded: 'APPROVED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  kind: AlarmView['kind'];
  providerTxId: string | null;
  /** The amount in cents that was paid or is in question. Null if it is not known. */
  amount: Cents | null;
  createdAt: Date;
}

type ReportedEnd =
  | 'COMPLETED'
  | 'FAILED'
  | Exclude<PayoutAlarm['kind'], 'DONE_AFTER_FAILED' | 'FAILED_AFTER_DONE'>;

/** Returns the value in the table's column `told`, which is the end that the provider reported. */
function reportedOf(kind: PayoutAlarm['kind']): ReportedEnd {
  if (kind === 'DONE_AFTER_FAILED') return 'COMPLETED';
  return kind === 'FAILED_AFTER_DONE' ? 'FAILED' : kind;
}

function kindOf(reported: ReportedEnd): PayoutAlarm['kind'] {
  if (reported === 'COMPLETED') return 'DONE_AFTER_FAILED';
  return reported === 'FAILED' ? 'FAILED_AFTER_DONE' : reported;
}

export const ALARM_COLUMNS = columnsOf(`
  id, withdrawal_id, merchant_id, environment, recorded, told, provider_tx_id, created_at,
  amount_cents AS amount`);
const COLUMNS = ALARM_COLUMNS.join(', ');

export type AlarmRow = Omit<PayoutAlarm, 'kind'> & { told: ReportedEnd };

const INSERT = `
  INSERT INTO payout_alarms (${namesOf(ALARM_COLUMNS).join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (withdrawal_id, told) DO NOTHING RETURNING id`;

/** Stores the alarm. Returns false if the same alarm exists already. */
export async function raiseAlarm(tx: Transaction, alarm: PayoutAlarm): Promise<boolean> {
  const { id, withdrawalId, merchantId, environment, recorded, kind, providerTxId, createdAt } = alarm;
  const owner = [id, withdrawalId, merchantId, environment];
  const values = [...owner, recorded, reportedOf(kind), providerTxId, createdAt, alarm.amount];
  return (await tx.query(INSERT, values)).length === 1;
}

export interface SettleableAlarm extends PayoutAlarm {
  settledAt: Date | null;
  settledBy: string | null;
  note: string | null;
  /**
   * The operator who proposed to close the alarm. Null if one operator may close the alarm, or if no operator
   * has proposed it.
   */
  proposedBy: string | null;
  proposedAt: Date | null;
  /**
   * The position in the wallet's hash chain after which verification continues once operators have closed the
   * alarm.
   */
  offer: unknown;
}

export const SETTLEABLE_COLUMNS = [
  ...ALARM_COLUMNS,
  ...columnsOf('settled_at, settled_by, note, proposed_by, proposed_at, offer'),
];

export type SettleableRow = Omit<SettleableAlarm, 'kind'> & { told: ReportedEnd };

const LOCK = `SELECT ${SETTLEABLE_COLUMNS.join(', ')} FROM payout_alarms WHERE id = $1 FOR UPDATE`;

export async function lockAlarm(tx: Transaction, id: string): Promise<SettleableAlarm | null> {
  const [row] = await tx.query<SettleableRow>(LOCK, [id]);
  return row ? alarmOf(row) : null;
}

const CLOSE = `
  UPDATE payout_alarms SET settled_at = $2, settled_by = $3, note = $4, proposed_by = $5, proposed_at = $6
  WHERE id = $1`;

export async function saveSettlement(tx: Transaction, alarm: SettleableAlarm): Promise<void> {
  const { id, settledAt, settledBy, note, proposedBy, proposedAt } = alarm;
  await tx.query(CLOSE, [id, settledAt, settledBy, note, proposedBy, proposedAt]);
}

const COUNT_OPEN = 'SELECT count(*)::integer AS count FROM payout_alarms WHERE settled_at IS NULL';

export async function readOpenAlarms(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.query<{ count: number }>(COUNT_OPEN);
  return openAlarmGauges(['payout'], [{ subject: 'payout', count: row?.count ?? 0 }]);
}

const OF_WITHDRAWAL = `SELECT ${COLUMNS} FROM payout_alarms WHERE withdrawal_id = $1 ORDER BY created_at`;

export async function alarmsOf(db: Queryable, withdrawalId: string): Promise<PayoutAlarm[]> {
  return (await db.query<AlarmRow>(OF_WITHDRAWAL, [withdrawalId])).map((row) => alarmOf(row));
}

/** Converts a row to an alarm. Replaces the column `told` with the kind of the contradiction. */
export function alarmOf<Row extends AlarmRow>({ told, ...alarm }: Row) {
  return { ...alarm, kind: kindOf(told) };
}
