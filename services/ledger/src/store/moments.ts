import type { Tenant } from '@plataforma/kernel';
import type { WritePosition } from '../domain/posting.ts';
import { walletKey } from '../domain/wallet.ts';

/** Returns SQL that formats a time with microseconds. Hashes cover this text. */
export const instantOf = (time: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * SQL for the write positions of the wallets of merchants $1 in environments $2 (`wallet_moments` in
 * `baseline.sql`). An earlier statement must lock the wallets, so that this statement sees their last writes.
 */
export const WRITE_POSITIONS = `(SELECT json_agg(json_build_object('merchantId', merchant_id, 'environment',
  environment,
  'lastRow', last_row, 'at', ${instantOf('at')})) FROM wallet_moments($1, $2))`;

export type WritePositionRow = Tenant & WritePosition;

export function writePositionsOf(rows: readonly WritePositionRow[]): Map<string, WritePosition> {
  return new Map(rows.map(({ at, lastRow, ...tenant }) => [walletKey(tenant), { at, lastRow }]));
}
