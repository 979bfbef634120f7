import { namesOf, type Transaction } from '@plataforma/data';
import type { DoubtKind, Position } from '../domain/proof.ts';
import { ALARM_COLUMNS, type PayoutAlarm } from './payout-alarms.ts';

interface DoubtAlarm extends Omit<PayoutAlarm, 'recorded' | 'providerTxId' | 'kind'> {
  kind: DoubtKind;
  /** Where comparing the books goes on once it is settled. */
  offer: Position | null;
}

const RAISE = `
  INSERT INTO payout_alarms AS known (${namesOf(ALARM_COLUMNS).join(', ')}, offer)
  VALUES ($1, $2, $3, $4, 'APPROVED', $5, NULL, $6, $7, $8)
  ON CONFLICT (withdrawal_id, told) DO UPDATE
    SET settled_at = NULL, settled_by = NULL, note = NULL, created_at = excluded.created_at,
      amount_cents = excluded.amount_cents, offer = excluded.offer
    WHERE known.settled_at IS NOT NULL
  RETURNING id`;

/** Raised again where the same was settled before; false: it is open already. */
export async function raiseDoubt(tx: Transaction, alarm: DoubtAlarm): Promise<boolean> {
  const { id, withdrawalId, merchantId, environment, kind, amount, createdAt, offer } = alarm;
  const owner = [id, withdrawalId, merchantId, environment];
  const values = [...owner, kind, createdAt, amount, offer && JSON.stringify(offer)];
  return (await tx.query(RAISE, values)).length === 1;
}
