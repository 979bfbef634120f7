import { namesOf, type Queryable, type Transaction } from '@plataforma/data';
import type { DoubtKind, Position } from '../domain/proof.ts';
import { ALARM_COLUMNS, type PayoutAlarm } from './payout-alarms.ts';

interface DoubtAlarm extends Omit<PayoutAlarm, 'recorded' | 'providerTxId' | 'kind'> {
  kind: DoubtKind;
  /** Where comparing the books goes on once it is settled. */
  offer: Position | null;
}

/** As a comparison finds it before it reads the books. Times are the database's, to the microsecond. */
export interface SeenDoubt {
  kind: DoubtKind;
  raisedAt: string;
  /** Null: it is open. */
  settledAt: string | null;
  [column: string]: unknown;
}

const SEE = `
  SELECT told AS kind, created_at::text AS "raisedAt", settled_at::text AS "settledAt" FROM payout_alarms
  WHERE withdrawal_id = $1 AND recorded = 'APPROVED'`;

/** What was raised about the books of a payout. */
export function seeDoubts(db: Queryable, withdrawalId: string): Promise<SeenDoubt[]> {
  return db.query<SeenDoubt>(SEE, [withdrawalId]);
}

const RAISE = `
  INSERT INTO payout_alarms AS known (${namesOf(ALARM_COLUMNS).join(', ')}, offer)
  VALUES ($1, $2, $3, $4, 'APPROVED', $5, NULL, $6, $7, $8)
  ON CONFLICT (withdrawal_id, told) DO UPDATE
    SET settled_at = NULL, settled_by = NULL, note = NULL, proposed_by = NULL, proposed_at = NULL, created_at = excluded.created_at,
      amount_cents = excluded.amount_cents, offer = excluded.offer
    WHERE known.settled_at = $9::timestamptz
  RETURNING id`;

/** Raised again where the same was settled before the books were read; false: it is open, or was settled since. */
export async function raiseDoubt(
  tx: Transaction,
  alarm: DoubtAlarm,
  seen: readonly SeenDoubt[],
): Promise<boolean> {
  const { id, withdrawalId, merchantId, environment, kind, amount, createdAt, offer } = alarm;
  const owner = [id, withdrawalId, merchantId, environment];
  const settledAt = seen.find((doubt) => doubt.kind === kind)?.settledAt ?? null;
  const values = [...owner, kind, createdAt, amount, offer && JSON.stringify(offer), settledAt];
  return (await tx.query(RAISE, values)).length === 1;
}
