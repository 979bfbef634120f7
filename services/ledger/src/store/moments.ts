import type { Tenant } from '@plataforma/kernel';
import type { Moment } from '../domain/posting.ts';
import { walletKey } from '../domain/wallet.ts';

/** The text of a time that an entry's hash is made of. */
export const instantOf = (time: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * When, and after which row, each wallet of the merchants $1 in the environments $2 is written to: their locks are held,
 * and only a statement that begins afterwards sees what was last written to them.
 */
export const MOMENTS = `(SELECT json_agg(json_build_object('merchantId', merchant_id, 'environment', environment,
  'lastRow', last_row, 'at', ${instantOf('at')})) FROM wallet_moments($1, $2))`;

export type MomentRow = Tenant & Moment;

export function momentsOf(rows: readonly MomentRow[]): Map<string, Moment> {
  return new Map(rows.map(({ at, lastRow, ...tenant }) => [walletKey(tenant), { at, lastRow }]));
}
