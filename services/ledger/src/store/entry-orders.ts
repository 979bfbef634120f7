import { arraysOf, type Queryable, rowsFrom, type SealedTable } from '@plataforma/data';
import { FIRST_ID, type Tenant } from '@plataforma/kernel';
import { isTrusted, type Sealing, sealOf } from '@plataforma/tables';
import type { Chained } from '../domain/chain.ts';
import type { Difference } from '../domain/row-counts.ts';
import type { ChainEnd } from '../domain/wallet.ts';
import { hasOrder } from './entry-seals.ts';

const table: SealedTable = { name: 'trusted_entries', fields: ['sequence', 'hash'] };

const sealable = ({ merchantId, environment, ...end }: Tenant & ChainEnd) => ({
  ...end,
  id: `${merchantId} ${environment}`,
});

const FIND = `
  SELECT sequence, hash, seal FROM trusted_entries WHERE merchant_id = $1 AND environment = $2`;

/**
 * Finds the last entry of a wallet that the sealing command has trusted. Without a valid seal, no entry is
 * trusted.
 */
export async function findTrusted(db: Queryable, tenant: Tenant): Promise<ChainEnd> {
  const keys = [tenant.merchantId, tenant.environment];
  const [row] = await db.query<ChainEnd & { seal: string | null }>(FIND, keys);
  const isGood = row && isTrusted(db, table, { ...sealable({ ...tenant, ...row }), seal: row.seal });
  return isGood ? row : { sequence: 0, hash: null };
}

const MOST_NAMED = 3;

/**
 * Lists the entries of a chain whose seal shows no order. Each kind is one difference, with the number of its
 * entries and the first ids. Entries up to `trusted` need no order.
 */
export function orderDifferences(
  db: Queryable,
  entries: readonly Chained[],
  trusted: ChainEnd,
): Difference[] {
  const forged = entries.filter((entry) => !isOrdered(db, entry, trusted));
  return [...Map.groupBy(forged, ({ kind }) => kind)].map(([kind, own]) => {
    const ids = own.slice(0, MOST_NAMED).map(({ id }) => id);
    return { what: `${kind} without an order (${ids.join(', ')})`, recorded: own.length, computed: 0 };
  });
}

function isOrdered(db: Queryable, entry: Chained, trusted: ChainEnd): boolean {
  const { sequence, hash } = entry.link;
  if (sequence === trusted.sequence) return hash === trusted.hash;
  return (sequence ?? 0) < trusted.sequence || hasOrder(db, entry);
}

const FIND_ENDS = `
  SELECT merchant_id AS "merchantId", environment, chain_sequence AS sequence,
    encode(chain_hash, 'hex') AS hash
  FROM wallets WHERE (merchant_id, environment) > ($1::uuid, $2) AND chain_sequence > 0
  ORDER BY 1, 2 LIMIT 500`;

const TYPES = {
  merchantId: 'uuid',
  environment: 'text',
  sequence: 'bigint',
  hash: 'text',
  seal: 'text',
};
const SAVE = `
  INSERT INTO trusted_entries AS known (merchant_id, environment, sequence, hash, seal)
  SELECT * FROM ${rowsFrom(TYPES, { name: 'trusted', first: 1 })}
  ON CONFLICT (merchant_id, environment) DO UPDATE
    SET sequence = excluded.sequence, hash = excluded.hash, seal = excluded.seal
    WHERE known.seal IS DISTINCT FROM excluded.seal
  RETURNING merchant_id`;

/** Trusts the present entries of every wallet, which then need no order. */
export const entriesToTrust: Sealing = {
  table,
  async seal(database) {
    let changed = 0;
    for (let after = [FIRST_ID, '']; ; ) {
      const ends = await database.queryUnprepared<Tenant & ChainEnd>(FIND_ENDS, after);
      const last = ends.at(-1);
      if (!last) return changed;
      const rows = ends.map((end) => ({ ...end, seal: sealOf(database, table, sealable(end)) }));
      changed += (await database.queryUnprepared(SAVE, arraysOf(rows, TYPES))).length;
      after = [last.merchantId, last.environment];
    }
  },
};
