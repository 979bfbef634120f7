import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';
import { touchesWallet } from './fact.ts';
import type { Instant, PostedRow } from './posting.ts';
import type { Difference } from './row-counts.ts';
import type { ChainEnd } from './wallet.ts';

/** Where an entry stands in its wallet's chain. */
export interface Link {
  /** 1, 2, 3 … in each wallet; null for an entry that touches none. */
  sequence: number | null;
  /** Null: the first of its wallet, or in none. */
  previousHash: string | null;
  hash: string;
}

/** A row with its number in its wallet. */
type NumberedRow = PostedRow & { ordinal: number };

/** All that an entry vouches for. */
export interface Linked extends Entry {
  /** When it was written; its rows have the same time. */
  createdAt: Instant;
  rows: readonly NumberedRow[];
}

/** As it stands: what is forged may have no hash, and rows of another time or wallet. */
export interface Chained extends Linked {
  rows: readonly (NumberedRow & { createdAt: Instant; isOwn: boolean })[];
  link: Omit<Link, 'hash'> & { hash: string | null };
}

/** The version of the hashed text: a change of the text below needs a new one. */
const FORM = 1;

/** The link of an entry that comes after `end`; without one it touches no wallet. */
export function linkOf(entry: Linked, end: ChainEnd | null): Link {
  const position = { sequence: end ? end.sequence + 1 : null, previousHash: end?.hash ?? null };
  return { ...position, hash: hashOf(entry, position) };
}

/** SHA-256 (hex) of all that an entry says and of the hash before it. */
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

/** Lists the differences of entries that follow each other, the first of them after `end`. */
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

/** Whether an entry still says what it said when it was posted. */
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

/** Lists the differences of an entry in no chain: only entries that touch no wallet may be outside of one. */
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

/** As the database gives them back. */
const idIn = (id: string | null) => id?.toLowerCase() ?? null;
const textIn = (text: string | null) => text?.toWellFormed() ?? null;
