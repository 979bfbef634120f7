import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';
import { touchesWallet } from './fact.ts';
import type { Instant, PostedRow } from './posting.ts';
import type { Difference } from './row-counts.ts';
import type { ChainEnd } from './wallet.ts';

export interface Link {
  /** Counts from 1 in each wallet; null for an entry that touches no wallet. */
  sequence: number | null;
  /** Null for the first entry of a wallet, and outside a chain. */
  previousHash: string | null;
  hash: string;
}

type NumberedRow = PostedRow & { ordinal: number };

/** The content that the hash of an entry covers. */
export interface Linked extends Entry {
  createdAt: Instant;
  rows: readonly NumberedRow[];
}

/** An entry as stored. A forged one may have no hash, and rows with another time or wallet. */
export interface Chained extends Linked {
  rows: readonly (NumberedRow & { createdAt: Instant; isOwn: boolean })[];
  link: Omit<Link, 'hash'> & { hash: string | null };
}

/** The version of the hashed text. A change of the text below needs a new one. */
const FORM = 1;

/** Returns the link of an entry that follows `end`; null is for an entry that touches no wallet. */
export function linkOf(entry: Linked, end: ChainEnd | null): Link {
  const position = { sequence: end ? end.sequence + 1 : null, previousHash: end?.hash ?? null };
  return { ...position, hash: hashOf(entry, position) };
}

/** Returns the SHA-256 (hex) of an entry's content, its position and the hash before it. */
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

/** Lists the differences in consecutive entries, the first of which follows `end`. */
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

/** Lists the differences between an entry and the content that its hash covers. */
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

/** Lists the differences of an unchained entry, which must touch no wallet. */
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

/** The spelling in which the database returns a value. */
const idIn = (id: string | null) => id?.toLowerCase() ?? null;
const textIn = (text: string | null) => text?.toWellFormed() ?? null;
