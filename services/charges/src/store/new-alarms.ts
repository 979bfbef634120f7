import type { Transaction } from '@plataforma/data';
import { type Cents, type Environment, newId } from '@plataforma/kernel';
import type { Alarm } from '@plataforma/work';

/** A contradiction between a provider and the platform's record, which an operator resolves. */
export interface NewAlarm {
  subject: 'refund' | 'return' | 'card' | 'payment';
  subjectId: string;
  chargeId: string | null;
  merchantId: string | null;
  environment: Environment;
  kind: Alarm['kind'] | 'UNBACKED' | 'UNRECORDED' | 'AMOUNTS_DIFFER';
  amount: Cents;
  providerReference?: string | null;
  at: Date;
}

const RAISE = `
  INSERT INTO alarms
    (id, subject, subject_id, charge_id, merchant_id, environment, kind, amount_cents, created_at,
    provider_reference)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (subject_id, kind) DO NOTHING
  RETURNING id`;

/** Raises an alarm, only once for each kind and subject. Returns false when it was raised before. */
export async function raiseAlarm(tx: Transaction, alarm: NewAlarm): Promise<boolean> {
  const { subject, subjectId, chargeId, merchantId, environment, kind, amount, at } = alarm;
  const about = [newId(), subject, subjectId, chargeId, merchantId, environment];
  const values = [...about, kind, amount, at, alarm.providerReference ?? null];
  return (await tx.query(RAISE, values)).length === 1;
}
