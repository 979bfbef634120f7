import type { ChainVerification } from '@plataforma/contracts';
import type { Queryable, Transaction } from '@plataforma/data';
import type { AnchorType, EventData } from '@plataforma/events';
import { verifyAudit } from '../audit-reading.ts';

type Anchor = EventData<AnchorType>;

/** The newest place of a chain, and its hash. */
export type Head = Pick<Anchor, 'sequence' | 'hash'>;

export interface Chain {
  name: Anchor['chain'];
  /** Returns the head, or null while the chain is empty. */
  head(tx: Transaction): Promise<Head | null>;
  /**
   * Returns true when a change is not in the chain yet; left out where each change is a place of the chain.
   */
  isBehind?(db: Queryable): Promise<boolean>;
  /** Returns the heads recorded at these places; missing places are left out. */
  headsAt(db: Queryable, sequences: readonly number[]): Promise<Head[]>;
  /** Computes hashes again, for `limit` places from the first one or from the end of an earlier answer. */
  verify(db: Queryable, from: { after?: string | undefined; limit: number }): Promise<ChainVerification>;
}

/** Creates the readers of a chain that is a table with a number and a hash in each row. */
export function headsIn(
  table: string,
): Pick<Chain, 'headsAt'> & { newest(db: Queryable): Promise<Head | null> } {
  const COLUMNS = `SELECT sequence, encode(hash, 'hex') AS hash FROM ${table}`;
  const NEWEST = `${COLUMNS} ORDER BY sequence DESC LIMIT 1`;
  const AT = `${COLUMNS} WHERE sequence = ANY ($1::bigint[]) ORDER BY sequence`;
  type Row = Head & { [column: string]: unknown };
  return {
    async newest(db) {
      const [head] = await db.query<Row>(NEWEST);
      return head ?? null;
    },
    headsAt: (db, sequences) => db.query<Row>(AT, [sequences]),
  };
}

const auditHeads = headsIn('audit_log');

/** The chain of operators' changes, which each service has. */
export const auditLogChain: Chain = {
  name: 'audit',
  head: auditHeads.newest,
  headsAt: auditHeads.headsAt,
  verify: verifyAudit,
};
