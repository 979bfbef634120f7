import { newId, Refusal } from '@plataforma/kernel';
import { type Link, type Linked, linkOf } from './chain.ts';
import { chargePaid, receivableDue } from './charge-postings.ts';
import { debtCollected, disputeLost, disputeOpened, disputeWon } from './dispute-postings.ts';
import { agrees, type Entry, entryKey } from './entry.ts';
import {
  chargeOf,
  type Fact,
  type FactOf,
  type Kind,
  type Names,
  type Order,
  touchesWallet,
} from './fact.ts';
import { adjustment, block, unblock } from './operator-postings.ts';
import {
  applyPosting,
  type Instant,
  type Posting,
  type PostingContext,
  type WritePosition,
} from './posting.ts';
import type { Receivable } from './receivable.ts';
import { notCovered, refund, refundRefused } from './refund-postings.ts';
import { unmatchedReceived, unmatchedReturned } from './unmatched-payment-postings.ts';
import { emptyWallet, type Wallet, walletKey } from './wallet.ts';
import {
  withdrawalCompleted,
  withdrawalDebited,
  withdrawalNotCovered,
  withdrawalReversed,
} from './withdrawal-postings.ts';

interface Rule<K extends Kind> {
  /**
   * Builds the posting of a fact. Returns null if the fact has nothing to post. A thrown Refusal refuses only
   * this fact; any other error fails the whole transaction.
   */
  post: (fact: FactOf<K>, context: PostingContext) => Posting | null;
  /**
   * The kind of the earlier fact that this fact ends, as `dispute_won` ends `dispute_opened`. This fact is
   * posted only if the earlier fact is posted.
   */
  answers?: Kind;
  /** The kind of fact that contradicts this one, as `dispute_lost` contradicts `dispute_won`. */
  excludes?: Kind;
  /**
   * Returns the error for a refused fact. Only kinds with this function have their refusals stored, so that a
   * repeated request is refused too. For any other kind, a repeated request may succeed.
   */
  refusal?: () => Refusal;
  /**
   * True if this fact can arrive before the fact that it answers. The ledger then refuses the answered fact
   * when that fact arrives.
   */
  preventsAnswered?: true;
}

const rules: { [K in Kind]: Rule<K> } = {
  charge_paid: { post: chargePaid },
  receivable_due: { post: receivableDue },
  refund: { post: refund, refusal: notCovered },
  refund_refused: { post: refundRefused, answers: 'refund' },
  dispute_opened: { post: disputeOpened },
  dispute_won: { post: disputeWon, answers: 'dispute_opened', excludes: 'dispute_lost' },
  dispute_lost: { post: disputeLost, answers: 'dispute_opened', excludes: 'dispute_won' },
  withdrawal_created: { post: withdrawalDebited, refusal: withdrawalNotCovered },
  withdrawal_completed: {
    post: withdrawalCompleted,
    answers: 'withdrawal_created',
    excludes: 'withdrawal_returned',
  },
  withdrawal_returned: {
    post: withdrawalReversed,
    answers: 'withdrawal_created',
    excludes: 'withdrawal_completed',
    preventsAnswered: true,
  },
  block: { post: block },
  unblock: { post: unblock },
  adjustment: { post: adjustment },
  unexpected_payment_received: { post: unmatchedReceived },
  unexpected_payment_returned: { post: unmatchedReturned, answers: 'unexpected_payment_received' },
};

export const factKinds: readonly string[] = Object.keys(rules);

/**
 * Returns the kinds of entries that decide whether a fact can be posted. These entries have the same
 * reference as the fact.
 */
export function decidingKinds(kind: Kind): Kind[] {
  const { answers, excludes } = rules[kind];
  return [kind, answers, excludes].filter((other) => other !== undefined);
}

/**
 * The part of the ledger that a batch of facts needs. Each posting updates this part for the later facts of
 * the batch.
 */
export interface Books {
  wallets: Map<string, Wallet>;
  receivables: Map<string, Receivable>;
  entries: Map<string, Entry>;
  /** The references of facts that the ledger has finally refused. */
  refused: Set<string>;
  moments: Map<string, WritePosition>;
  now: Instant;
}

export interface PostedEntry extends Linked, Names {
  orderedBy: Order;
  link: Link;
  /** The charge's receivable after this entry. Absent if the entry did not change it. */
  receivable?: Receivable;
}

interface PostResult {
  outcome: Outcome;
  entries: PostedEntry[];
  /**
   * The reference of a refused fact, if the refusal is final and was not recorded before. Null in all other
   * cases.
   */
  refused: string | null;
}

export type Outcome =
  /** `posted`: the fact is posted now. `known`: the fact was posted before. */
  | { is: 'posted' | 'known' }
  /** An existing entry contradicts the fact. The fact is not posted, and an operator must investigate. */
  | { is: 'contradicted'; fact: Fact; entry: Entry }
  /**
   * The fact has nothing to post, or the ledger lacks the earlier fact that this fact ends. `groundless` is
   * also the label of a metric.
   */
  | { is: 'groundless'; fact: Fact }
  /**
   * The fact ends an earlier fact that the ledger lacks: a withdrawal was abandoned, and its debit has not
   * arrived. This is no error. The ledger refuses the debit if it arrives later.
   */
  | { is: 'prevented' }
  | { is: 'refused'; refusal: Refusal };

/**
 * Posts facts in order, because later facts may depend on earlier ones. Stops at the first fact that cannot
 * be posted. Mutates `books`.
 */
export function post(books: Books, facts: readonly Fact[]): PostResult {
  const entries: PostedEntry[] = [];
  for (const fact of facts) {
    const outcome = recordedOutcome(books, fact) ?? postNew(books, fact, entries);
    if (outcome.is === 'posted' || outcome.is === 'known') continue;
    return { outcome, entries, refused: recordFinalRefusal(books, fact, outcome) };
  }
  return { outcome: { is: entries.length > 0 ? 'posted' : 'known' }, entries, refused: null };
}

/**
 * Records a final refusal, which stays valid even if the balance later suffices. Returns the fact's
 * reference, or null if the refusal is not final or is already recorded.
 */
function recordFinalRefusal({ refused }: Books, fact: Fact, { is }: Outcome): string | null {
  const { kind, reference } = fact;
  const { refusal, preventsAnswered } = rules[kind];
  const isFirst = is === 'groundless' || is === 'prevented';
  const isFinal = (is === 'refused' && refusal && !('isAgain' in fact)) || (isFirst && preventsAnswered);
  if (!isFinal || refused.has(reference)) return null;
  refused.add(reference);
  return reference;
}

/**
 * Returns the outcome that existing entries and refusals determine. Returns undefined if the fact can be
 * posted.
 */
function recordedOutcome({ entries, refused }: Books, fact: Fact): Outcome | undefined {
  const entryOf = (kind: Kind) => entries.get(entryKey({ kind, reference: fact.reference }));
  const { answers, excludes, refusal } = rules[fact.kind];
  const same = entryOf(fact.kind);
  if (same) return agrees(same, fact) ? { is: 'known' } : { is: 'contradicted', fact, entry: same };
  if (refusal && refused.has(fact.reference)) return { is: 'refused', refusal: refusal() };
  const rival = excludes && entryOf(excludes);
  if (rival) return { is: 'contradicted', fact, entry: rival };
  const answered = answers && entryOf(answers);
  if (answers && !answered) return isAbandoned(fact) ? { is: 'prevented' } : { is: 'groundless', fact };
  return answered && !agrees(answered, fact) ? { is: 'contradicted', fact, entry: answered } : undefined;
}

function isAbandoned(fact: Fact): boolean {
  return fact.kind === 'withdrawal_returned' && fact.isAbandoned === true;
}

function postNew(books: Books, fact: Fact, written: PostedEntry[]): Outcome {
  try {
    const posting = postingOf(fact, contextOf(books, fact));
    if (!posting) return { is: 'groundless', fact };
    const { kind, reference } = fact;
    const entry = write(books, fact, { kind, reference, chargeId: chargeOf(fact), posting });
    written.push(entry);
    if (touchesWallet(fact)) written.push(...collected(books, fact, entry.id));
    return { is: 'posted' };
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', refusal: error };
    throw error;
  }
}

function postingOf<K extends Kind>(fact: FactOf<K>, context: PostingContext): Posting | null {
  return rules[fact.kind].post(fact, context);
}

/**
 * Pays the debt of lost disputes from available money. `reference` is the id of the entry that was posted
 * just before.
 */
function collected(books: Books, fact: Fact, reference: string): PostedEntry[] {
  const posting = debtCollected(walletIn(books, fact));
  if (!posting) return [];
  return [write(books, fact, { kind: 'debt_collected', reference, chargeId: null, posting })];
}

type Written = Pick<Entry, 'kind' | 'reference' | 'chargeId'> & { posting: Posting };

function write(books: Books, fact: Fact, { posting, ...named }: Written): PostedEntry {
  const { merchantId, environment } = fact;
  const { wallet, rows: posted } = applyPosting(walletIn(books, fact), posting);
  const { at: createdAt, lastRow } = writePositionIn(books, fact);
  const rows = posted.map((row, index) => ({ ...row, ordinal: lastRow + index + 1 }));
  const { lines, receivable } = posting;
  const memo = 'memo' in fact && named.kind === fact.kind ? fact.memo : null;
  // Cut the time to milliseconds, because the entry is later read with milliseconds and must still match its
  // hash.
  const occurredAt = new Date(fact.occurredAt).toISOString();
  const entry = { ...named, id: newId(), merchantId, environment, occurredAt, memo, lines };
  const link = linkOf({ ...entry, createdAt, rows }, touchesWallet(fact) ? wallet.chain : null);
  books.entries.set(entryKey(entry), entry);
  if (link.sequence !== null) {
    const chain = { sequence: link.sequence, hash: link.hash };
    books.wallets.set(walletKey(fact), { ...wallet, chain });
    books.moments.set(walletKey(fact), { at: createdAt, lastRow: lastRow + rows.length });
  }
  if (receivable) books.receivables.set(receivable.chargeId, receivable);
  const { externalId = null, endToEndId = null } = named.kind === fact.kind ? fact : {};
  const origin = { orderedBy: fact.orderedBy, externalId, endToEndId };
  return { ...entry, ...origin, createdAt, rows, link, ...(receivable ? { receivable } : {}) };
}

function contextOf(books: Books, fact: Fact): PostingContext {
  const { answers } = rules[fact.kind];
  const answered = answers && books.entries.get(entryKey({ kind: answers, reference: fact.reference }));
  const receivable = books.receivables.get(chargeOf(fact) ?? '');
  const isOwn = receivable && walletKey(receivable) === walletKey(fact);
  return {
    wallet: walletIn(books, fact),
    // Ignore a receivable of a different merchant. Only the fact's own wallet is locked, and no merchant pays
    // for another merchant.
    receivable: isOwn ? receivable : undefined,
    answeredLines: answered?.lines ?? [],
    at: writePositionIn(books, fact).at,
  };
}

function writePositionIn({ moments, now }: Books, fact: Fact): WritePosition {
  if (!touchesWallet(fact)) return { at: now, lastRow: 0 };
  const moment = moments.get(walletKey(fact));
  if (!moment) throw new Error(`no write position was read for wallet ${walletKey(fact)}`);
  return moment;
}

function walletIn({ wallets }: Books, fact: Fact): Wallet {
  if (!touchesWallet(fact)) return emptyWallet(fact);
  const wallet = wallets.get(walletKey(fact));
  if (!wallet) throw new Error(`wallet ${walletKey(fact)} was not locked before it was posted to`);
  return wallet;
}
