import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';
import { type Names, touchesWallet } from './fact.ts';
import type { Instant, PostedRow } from './posting.ts';
import type { Difference } from './row-counts.ts';
import type { ChainEnd } from './wallet.ts';

export interface Link {
  /** The entry's number in its wallet, starting with 1. Null for an entry that changes no wallet. */
  sequence: number | null;
  /**
   * The hash of the wallet's previous entry. Null for the first entry, and for an entry that changes no
   * wallet.
   */
  previousHash: string | null;
  hash: string;
}

type NumberedRow = PostedRow & { ordinal: number };

/** An entry with all the data from which its hash is computed. */
export interface Linked extends Entry {
  createdAt: Instant;
  rows: readonly NumberedRow[];
}

/**
 * An entry as the database stores it. After manipulation its hash may be missing, and its rows may have a
 * different time or wallet.
 */
export interface Chained extends Linked, Names {
  /** `orderedBy` names the order behind the entry. `seal` covers both. Null in releases before 0.7. */
  orderedBy: string | null;
  seal: string | null;
  rows: readonly (NumberedRow & { createdAt: Instant; isOwn: boolean })[];
  link: Omit<Link, 'hash'> & { hash: string | null };
}

/** The version of the hashed text. If the text below changes, this number must change. */
const FORM = 1;

/**
 * Returns the chain link that follows `end`, the last entry of the wallet. `end` is null for an entry that
 * changes no wallet.
 */
export function linkOf(entry: Linked, end: ChainEnd | null): Link {
  const position = { sequence: end ? end.sequence + 1 : null, previousHash: end?.hash ?? null };
  return { ...position, hash: hashOf(entry, position) };
}

/** Returns the SHA-256 (hex) of an entry's content, its sequence number and the previous entry's hash. */
function hashOf(entry: Linked, { sequence, previousHash }: Omit<Link, 'hash'>): string {
  const text = JSON.stringify([
    FORM,
    sequence,
    previousHash,
    entry.id,
    entry.kind,
    idIn(entry.reference),
    idIn(entry.merchantId),
    entry.environment,
    idIn(entry.chargeId),
    entry.occurredAt,
    entry.createdAt,
    textIn(entry.memo),
    inOrder(entry.lines.map(({ account, amount }) => [account, amount])),
    inOrder(entry.rows.map(rowIn)),
  ]);
  return hash('sha256', text);
}

/** Lists the errors in consecutive entries of a chain. The first entry must follow `end`. */
export function misfits(entries: readonly Chained[], end: ChainEnd): Difference[] {
  let previous = end;
  return entries.flatMap((entry) => {
    const { sequence, hash } = entry.link;
    const found = [...linkMisfits(entry, previous), ...ownMisfits(entry)];
    previous = { sequence: sequence ?? previous.sequence, hash };
    return found;
  });
}

function linkMisfits({ link }: Chained, previous: ChainEnd): Difference[] {
  const { sequence, previousHash } = link;
  if (sequence !== previous.sequence + 1) {
    return [{ what: `entry ${previous.sequence + 1} of the chain`, recorded: null, computed: previousHash }];
  }
  const isLinked = previousHash === previous.hash;
  return isLinked
    ? []
    : [{ what: `link of entry ${sequence}`, recorded: previousHash, computed: previous.hash }];
}

/** Lists the differences between an entry's stored content and its hash. */
function ownMisfits(entry: Chained): Difference[] {
  const { sequence, hash } = entry.link;
  const computed = hashOf({ ...entry, rows: entry.rows.filter(({ isOwn }) => isOwn) }, entry.link);
  const name = `entry ${sequence === null ? '' : `${sequence} `}(${entry.id})`;
  const own = computed === hash ? [] : [{ what: name, recorded: hash, computed }];
  return [...own, ...entry.rows.flatMap((row) => rowMisfits(row, entry))];
}

function rowMisfits({ id, createdAt, isOwn }: Chained['rows'][number], entry: Chained): Difference[] {
  if (!isOwn)
    return [{ what: `row of another wallet under entry (${entry.id})`, recorded: id, computed: null }];
  const computed = entry.createdAt;
  return createdAt === computed ? [] : [{ what: `time of row ${id}`, recorded: createdAt, computed }];
}

/** Lists the errors of an entry that belongs to no hash chain. Such an entry must not change a wallet. */
export function unchainedMisfits(entry: Chained): Difference[] {
  const own = ownMisfits(entry);
  if (!touchesWallet(entry)) return own;
  const what = `entry (${entry.id}), which is in no chain`;
  return [...own, { what, recorded: entry.link.hash, computed: null }];
}

function rowIn(row: NumberedRow): [string, ...unknown[]] {
  const { id, ordinal, type, amount, balanceAfter, description, method, chargeId, withdrawalId } = row;
  const about = [textIn(description), method, idIn(chargeId), idIn(withdrawalId)];
  return [id, ordinal, type, amount, balanceAfter, ...about];
}

function inOrder(things: [string, ...unknown[]][]) {
  return things.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Converts an id to the form in which PostgreSQL returns it, so that a stored entry still matches its hash.
 */
const idIn = (id: string | null) => id?.toLowerCase() ?? null;
const textIn = (text: string | null) => text?.toWellFormed() ?? null;
