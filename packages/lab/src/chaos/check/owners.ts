import { type Databases, rowsOf } from './evidence.ts';

/** The id of an object and its owner: a merchant and an environment. */
export type Owned = { id: string; owner: string };

const of = (table: string, merchant = 'merchant_id') =>
  `SELECT id, concat(${merchant}, ' ', environment) AS owner FROM ${table}`;

/** Returns the owner of every object that merchants can read, by the object's id. */
export async function readOwners({
  charges,
  withdrawals,
  webhooks,
  ledger,
  gateway,
}: Databases): Promise<Map<string, string>> {
  const rows = [
    ...(await rowsOf<Owned>(charges, `${of('charges')} UNION ALL ${of('disputes')}`)),
    ...(await rowsOf<Owned>(withdrawals, `${of('withdrawals')} UNION ALL ${of('destinations')}`)),
    ...(await rowsOf<Owned>(
      webhooks,
      `${of('configurations')} UNION ALL ${of('deliveries')} UNION ALL ${of('events')}`,
    )),
    ...(await rowsOf<Owned>(ledger, of('wallet_transactions'))),
    ...(await rowsOf<Owned>(gateway, of('api_keys', 'organization_id'))),
  ];
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}
