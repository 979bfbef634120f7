import type { Transaction } from '@plataforma/data';
import { type Cents, type Environment, newId } from '@plataforma/kernel';
import type { Alarm } from '@plataforma/work';

/** What a provider says that contradicts the record, for operators to settle. */
export interface NewAlarm {
  subject: 'refund' | 'return' | 'card';
  subjectId: string;
  chargeId: string | null;
  merchantId: string | null;
  environment: Environment;
  kind: Alarm['kind'];
  amount: Cents;
  at: Date;
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
