import type { Database, Queryable } from '@plataforma/data';
import { type Claimed, createQueue } from '@plataforma/work';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, type ChargeRow } from './charge-rows.ts';
import { lockCharge, saveCharge } from './charges.ts';

const leased = {
  table: 'charges',
  columns: CHARGE_COLUMNS,
  due: 'next_check_at',
  attempts: 'checks',
  lease: { token: 'lease_token', until: 'lease_until' },
};

/** The queue of charges that wait for their payment. */
export const dueCharges = createQueue<ChargeRow>({ ...leased, open: "status = 'PENDING'" });

/** The queue of ended card attempts whose payments may still appear. */
export const watchedAttempts = createQueue<ChargeRow>({ ...leased, open: 'is_watched' });

const CHECK_AGAIN = `
  UPDATE charges
  SET next_check_at = CASE WHEN next_check_at < lease_until THEN next_check_at ELSE $3 END,
    lease_token = NULL, lease_until = NULL
  WHERE id = $1 AND lease_token = $2 AND (status = 'PENDING' OR is_watched)`;

/**
 * Ends a claim that changed nothing, unless another process has claimed the charge since. The next check is
 * at `at`, or earlier if a moved sandbox clock has made the charge due.
 */
export async function checkAgainAt(db: Queryable, { item, lease }: Claimed<Charge>, at: Date): Promise<void> {
  await db.query(CHECK_AGAIN, [item.id, lease.token, at]);
}

/**
 * Ends the checks of a card attempt that has ended, unless another process has claimed the charge since.
 * Locks the charge.
 */
export async function endWatch(database: Database, { item, lease }: Claimed<Charge>): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, item.id);
    if (charge.leaseToken !== lease.token || !charge.card?.isWatched) return;
    const card = { ...charge.card, isWatched: false };
    await saveCharge(tx, { ...charge, card, leaseToken: null, leaseUntil: null });
  });
}
