import type { ChainVerification } from '@plataforma/contracts';
import type { Queryable, Transaction } from '@plataforma/data';
import type { AnchorType, EventData } from '@plataforma/events';
import { verifyAudit } from '../audit-reading.ts';

type Anchor = EventData<AnchorType>;

/** The newest place of a hash chain, which is a sequence number, and the hash at that place. */
export type Head = Pick<Anchor, 'sequence' | 'hash'>;

export interface Chain {
  name: Anchor['chain'];
  /** Returns the newest place and hash, or null while the chain is empty. */
  head(tx: Transaction): Promise<Head | null>;
  /**
   * Returns true when a change is not in the chain yet. Undefined for a chain to which each change is added
   * at once.
   */
  isBehind?(db: Queryable): Promise<boolean>;
  /**
   * Returns the recorded hashes with these sequence numbers. A number that the chain does not have is left
   * out.
   */
  headsAt(db: Queryable, sequences: readonly number[]): Promise<Head[]>;
  /**
   * Recomputes the hashes of `limit` places and compares them with the recorded hashes. Begins at the first
   * place, or after `after`, the end of an earlier answer.
   */
  verify(db: Queryable, from: { after?: string | undefined; limit: number }): Promise<ChainVerification>;
}

/** Creates functions that read a chain from a table with a sequence number and a hash in each row. */
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

/** The hash chain of operators' changes. Each service has one. */
export const auditLogChain: Chain = {
  name: 'audit',
  head: auditHeads.newest,
  headsAt: auditHeads.headsAt,
  verify: verifyAudit,
};
