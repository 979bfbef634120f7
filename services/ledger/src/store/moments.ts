import type { Queryable } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Instant, Moment } from '../domain/moment.ts';
import { walletKey } from '../domain/wallet.ts';

/** The text of a time that an entry's hash is made of. */
export const instantOf = (time: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const FIND = `
  SELECT merchant_id, environment, last_row, ${instantOf('at')} AS at FROM wallet_moments($1, $2)
  UNION ALL SELECT NULL, NULL, 0, ${instantOf('clock_timestamp()')}`;

type MomentRow = { last_row: number; at: Instant } & (
  | { merchant_id: string; environment: Environment }
  | { merchant_id: null; environment: null }
);

/**
 * When, and after which row, each of these wallets is written to: their locks are held, and only a statement that begins
 * afterwards sees what was last written to them. `now` is for what touches no wallet.
 */
export async function findMoments(
  tx: Queryable,
  tenants: readonly Tenant[],
): Promise<{ moments: Map<string, Moment>; now: Instant }> {
  const keys = [tenants.map(({ merchantId }) => merchantId), tenants.map(({ environment }) => environment)];
  const found = { moments: new Map<string, Moment>(), now: '' };
  for (const row of await tx.query<MomentRow>(FIND, keys)) {
    const { at, last_row: lastRow, merchant_id: merchantId, environment } = row;
    if (merchantId === null) found.now = at;
    else found.moments.set(walletKey({ merchantId, environment }), { at, lastRow });
  }
  return found;
}
