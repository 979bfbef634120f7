import {
  columnsOf,
  namesOf,
  type Queryable,
  type SealedTable,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { createQueue } from '@plataforma/work';
import { type Checkout, noSuchCheckout } from '../domain/checkout.ts';

const CHECKOUT_COLUMNS = columnsOf(`
  id, link_id, environment, external_id, payer_name, payer_document, amount_cents AS amount, caller_group,
  is_of_buyer, use, card_form_until, held_since, charge_id, is_living, declines, ends_at, created_at, seal`);
const COLUMNS = CHECKOUT_COLUMNS.join(', ');

/**
 * The fields of a visit that never change. The other fields change with the visit's charge, whose seal covers
 * the visit's id.
 */
const sealedCheckouts: SealedTable = {
  name: 'checkouts',
  fields: [
    ...['linkId', 'environment', 'externalId', 'payerName', 'payerDocument', 'amount'],
    ...['callerGroup', 'isOfBuyer', 'createdAt'],
  ],
};
/** The description of visits for a command that seals existing rows. */
export const checkoutsToSeal: SealedRows = {
  table: sealedCheckouts,
  ...{ key: 'id', keyType: 'uuid', columns: CHECKOUT_COLUMNS },
};

type CheckoutRow = Record<string, unknown> & Checkout;

const NAMES = namesOf(CHECKOUT_COLUMNS);
const INSERT = `
  INSERT INTO checkouts (${NAMES.join(', ')}) VALUES (${NAMES.map((_, i) => `$${i + 1}`).join(', ')})
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** Returns false when a checkout with this id exists. */
export async function insertCheckout(tx: Transaction, checkout: Checkout): Promise<boolean> {
  const seal = sealOf(tx, sealedCheckouts, checkout);
  return (await tx.query(INSERT, valuesIn({ ...checkout, seal }, CHECKOUT_COLUMNS))).length === 1;
}

const FIND = `SELECT ${COLUMNS} FROM checkouts WHERE id = $1`;

/** Finds a visit. Throws INVALID_STATE if the visit has no valid seal. */
export async function findCheckout(db: Queryable, id: string): Promise<Checkout | null> {
  const [checkout] = await db.query<CheckoutRow>(FIND, [id]);
  if (checkout) requireTrusted(db, sealedCheckouts, checkout);
  return checkout ?? null;
}

const FIND_OF_BUYER = `
  SELECT id FROM checkouts WHERE link_id = $1 AND is_of_buyer ORDER BY (use = 'USED') DESC, created_at DESC
  LIMIT 1`;

/** Returns the visit that the holder of the buyer token gets: the paid visit, or else the latest visit. */
export async function findVisitOfBuyer(db: Queryable, linkId: string): Promise<string | null> {
  return (await db.query<{ id: string }>(FIND_OF_BUYER, [linkId]))[0]?.id ?? null;
}

const LOCK = `SELECT ${COLUMNS} FROM checkouts WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks a visit. Throws INVALID_STATE if the visit has no valid seal. */
export async function lockCheckout(tx: Transaction, id: string): Promise<Checkout> {
  const [checkout] = await tx.query<CheckoutRow>(LOCK, [id]);
  // The row may be missing, because visits without a charge are deleted after their retention time.
  if (!checkout) throw noSuchCheckout();
  requireTrusted(tx, sealedCheckouts, checkout);
  return checkout;
}

/**
 * Only paid uses are compared with the link's limit of uses. Visits that have not paid yet therefore do not
 * use up the link.
 */
const TAKE = `
  UPDATE payment_links SET taken = taken + 1
  WHERE id = $1 AND (uses IS NULL OR paid < uses) AND is_active AND (expires_at IS NULL OR expires_at > $2)
  RETURNING id`;

/**
 * Counts one more taken use of the link. Returns false and changes nothing if all uses of the link are paid,
 * or if the link accepts no payment.
 */
export async function takeUse(tx: Transaction, linkId: string, now: Date): Promise<boolean> {
  return (await tx.query(TAKE, [linkId, now])).length === 1;
}

const RESERVE = `
  UPDATE checkouts SET use = 'HELD', charge_id = $2, is_living = $3, card_form_until = $4, due_at = $4,
    held_since = $5
  WHERE id = $1`;

/**
 * Saves the charge or card form for which the checkout reserves a use of the link. The caller must hold the
 * row lock of the checkout.
 */
export async function saveReservation(tx: Transaction, checkout: Checkout): Promise<void> {
  const { id, chargeId, isLiving, cardFormUntil, heldSince } = checkout;
  await tx.query(RESERVE, [id, chargeId, isLiving, cardFormUntil, heldSince]);
}

export interface DueCheckout extends Record<string, unknown> {
  id: string;
  linkId: string;
}

/**
 * The queue of checkouts that reserve a use of their payment link for a card form and have no pending charge.
 * A checkout is due when its form closes.
 */
export const openForms = createQueue<DueCheckout>({
  table: 'checkouts',
  columns: columnsOf('id, link_id'),
  due: 'due_at',
  attempts: 'looks',
  open: "use = 'HELD' AND NOT is_living",
});

const RELEASE = `
  WITH closed AS (
    UPDATE checkouts SET use = 'NONE' WHERE id = $1 AND use = 'HELD' AND NOT is_living
    AND card_form_until <= $2
    RETURNING link_id)
  UPDATE payment_links SET taken = taken - 1 FROM closed WHERE payment_links.id = closed.link_id`;

/**
 * Releases the use of the payment link that a card form had reserved, if the form has closed. Does nothing if
 * a charge or a new form has reserved the use since then.
 */
export async function releaseUse(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(RELEASE, [id, now]);
}

/**
 * The queue of checkouts that may have ended. A checkout cannot end while it reserves a use of its payment
 * link (`use` is HELD).
 */
export const endingCheckouts = createQueue<DueCheckout>({
  table: 'checkouts',
  columns: columnsOf('id, link_id'),
  due: 'ends_at',
  attempts: 'looks',
  open: "use <> 'HELD'",
});

const MAKE_DUE = `
  UPDATE checkouts SET ends_at = $2 WHERE id = ANY (ARRAY (
    SELECT id FROM checkouts WHERE link_id = $1 AND ends_at > $2 ORDER BY id LIMIT $3 FOR NO KEY UPDATE))
  RETURNING true`;

/**
 * Makes the open checkouts of a link due. A checkout with a reserved use ends only after it releases the use.
 */
export async function makeCheckoutsDue(db: Queryable, linkId: string, at: Date): Promise<void> {
  while ((await db.query(MAKE_DUE, [linkId, at, CHUNK])).length === CHUNK);
}

const MAKE_CODES_DUE = `
  UPDATE charges SET next_check_at = $2 WHERE id = ANY (ARRAY (
    SELECT charges.id FROM checkouts JOIN charges ON charges.id = charge_id
    WHERE link_id = $1 AND use = 'HELD' AND is_living AND payment_method = 'PIX' AND next_check_at > $2
    ORDER BY charges.id LIMIT $3 FOR NO KEY UPDATE OF charges))
  RETURNING true`;

/**
 * Makes a link's unpaid Pix codes due, so that the scheduler cancels them. Call this after all uses of the
 * link are paid.
 */
export async function makeCodesDue(db: Queryable, linkId: string, at: Date): Promise<void> {
  while ((await db.query(MAKE_CODES_DUE, [linkId, at, CHUNK])).length === CHUNK);
}

const SET_DUE = 'UPDATE checkouts SET ends_at = $2 WHERE id = $1';

export async function setDueAt(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(SET_DUE, [id, at]);
}

const EXPIRE =
  'UPDATE checkouts SET ends_at = NULL, sequence = sequence + 1 WHERE id = $1 RETURNING sequence';

/**
 * Records the end of a checkout, and returns the sequence number of its event. The caller must hold the row
 * lock of the checkout.
 */
export async function saveExpired(tx: Transaction, id: string): Promise<number> {
  const [row] = await tx.query<{ sequence: number }>(EXPIRE, [id]);
  return row?.sequence ?? 0;
}

const UNTOUCHED = "charge_id IS NULL AND use = 'NONE'";
const CHUNK = 1_000;

/**
 * The outer condition repeats UNTOUCHED, so that a visit that gets a charge at this moment is not deleted. A
 * visit whose end is not announced yet is not deleted either.
 */
const DELETE_UNTOUCHED = `
  DELETE FROM checkouts WHERE ${UNTOUCHED} AND id IN (
    SELECT id FROM checkouts WHERE ${UNTOUCHED} AND ends_at IS NULL AND created_at < $1 ORDER BY created_at
    LIMIT ${CHUNK})
  RETURNING id`;

/**
 * Deletes a chunk of ended visits that began before `before`, and that have neither a charge nor a reserved
 * use of their link. Returns whether more visits may be left.
 */
export async function deleteUntouched(db: Queryable, before: Date): Promise<boolean> {
  return (await db.query(DELETE_UNTOUCHED, [before])).length === CHUNK;
}

const OLDEST_UNTOUCHED = `
  SELECT coalesce(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS seconds
  FROM checkouts WHERE ${UNTOUCHED}`;

/** Returns the age in seconds of the oldest visit that has neither a charge nor a use of its payment link. */
export async function oldestUntouchedSeconds(db: Queryable, now: Date): Promise<number> {
  return (await db.queryUnprepared<{ seconds: number }>(OLDEST_UNTOUCHED, [now]))[0]?.seconds ?? 0;
}
