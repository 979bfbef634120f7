import type { Queryable, SealedTable } from '@plataforma/data';
import { isTrusted, sealOf } from '@plataforma/tables';
import type { PostedEntry } from '../domain/books.ts';
import type { Chained } from '../domain/chain.ts';

/** The hash covers the content of an entry and its position in the chain, but not its order and its names. */
const sealedEntries: SealedTable = {
  name: 'journal_entries',
  fields: ['hash', 'orderedBy', 'externalId', 'endToEndId'],
};

function sealable({ id, link, orderedBy, externalId, endToEndId }: PostedEntry | Chained) {
  return { id, hash: link.hash, orderedBy, externalId, endToEndId };
}

/** Returns the seal of an entry and its order. */
export function sealOfEntry(db: Queryable, entry: PostedEntry): string | null {
  return sealOf(db, sealedEntries, sealable(entry));
}

/** Returns true if a valid seal shows the order for which the ledger wrote the entry. */
export function hasOrder(db: Queryable, entry: Chained): boolean {
  return isTrusted(db, sealedEntries, { ...sealable(entry), seal: entry.seal });
}
