import type { Tenant } from '@plataforma/kernel';
import type { WritePosition } from '../domain/posting.ts';
import { walletKey } from '../domain/wallet.ts';

/** Returns the SQL text of a time as an entry's hash covers it. */
export const instantOf = (time: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Reads the write positions of the wallets of merchants $1 in environments $2. The caller has locked them,
 * because only a statement that begins after the locks sees the last write. The function `wallet_moments` is in baseline.sql.
 */
export const WRITE_POSITIONS = `(SELECT json_agg(json_build_object('merchantId', merchant_id, 'environment', environment,
  'lastRow', last_row, 'at', ${instantOf('at')})) FROM wallet_moments($1, $2))`;

export type WritePositionRow = Tenant & WritePosition;

export function writePositionsOf(rows: readonly WritePositionRow[]): Map<string, WritePosition> {
  return new Map(rows.map(({ at, lastRow, ...tenant }) => [walletKey(tenant), { at, lastRow }]));
}
