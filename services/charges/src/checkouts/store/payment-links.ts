import type { PaymentLinkQuery } from '@plataforma/contracts';
import {
  type ComposedQuery,
  columnsOf,
  fieldsOf,
  namesOf,
  type Page,
  type Queryable,
  type Row,
  readPage,
  type SealedTable,
  selected,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { createQueue, type Leased } from '@plataforma/work';
import { searchOfLinks } from '../../store/charge-search.ts';
import { narrowed, ofTenant } from '../../store/owned-rows.ts';
import { type LinkState, noSuchLink, type PaymentLink } from '../domain/payment-link.ts';

const LINK_COLUMNS = columnsOf(`
  id, merchant_id, environment, slug, is_active, description, amount_cents AS amount, min_cents AS minAmount,
  max_cents AS maxAmount, methods, uses, taken, paid, expires_at, return_url, external_id, external_id_prefix,
  payer_name,
  payer_document, pix_expires_in, color, logo, buyer_token, created_at, seal`);

/** The columns that the seal does not cover: the page's look, and counters that follow sealed charges. */
const UNSEALED = ['id', 'taken', 'paid', 'color', 'logo', 'seal'];
const sealedLinks: SealedTable = {
  name: 'payment_links',
  fields: fieldsOf(LINK_COLUMNS).filter((field) => !UNSEALED.includes(field)),
};
/** The description of payment links for a command that seals existing rows. */
export const linksToSeal: SealedRows = {
  table: sealedLinks,
  ...{ key: 'id', keyType: 'uuid', columns: LINK_COLUMNS },
};

/** Throws INVALID_STATE if the stored link has no valid seal, so that no charge begins. */
export function requireLinkSeal(db: Queryable, link: PaymentLink): void {
  requireTrusted(db, sealedLinks, link);
}

export interface LinkCounts {
  visits: number;
  starts: number;
}

export type CountedLink = PaymentLink & LinkCounts;
type LinkRow = Row & PaymentLink;
type CountedRow = LinkRow & LinkCounts;

const NAMES = namesOf(LINK_COLUMNS);
const INSERT = `
  INSERT INTO payment_links (${NAMES.join(', ')}) VALUES (${NAMES.map((_, i) => `$${i + 1}`).join(', ')})`;

export async function insertLink(tx: Transaction, link: PaymentLink): Promise<void> {
  await tx.query(INSERT, valuesIn({ ...link, seal: sealOf(tx, sealedLinks, link) }, LINK_COLUMNS));
}

const counted = (counter: 'visits' | 'starts') =>
  `(SELECT coalesce(sum(${counter}), 0)::integer FROM payment_link_counts
    WHERE link_id = payment_links.id) AS ${counter}`;
const COUNTED = `${LINK_COLUMNS.join(', ')}, ${counted('visits')}, ${counted('starts')}`;

const FIND = `SELECT ${COUNTED} FROM payment_links WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

export async function getLink(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<CountedLink> {
  return requireLink(await db.query<CountedRow>(FIND, [id, merchantId, environment]));
}

function requireLink<Link>([link]: Link[]): Link {
  if (!link) throw noSuchLink();
  return link;
}

const LOCK = `
  SELECT ${LINK_COLUMNS.join(', ')} FROM payment_links
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR NO KEY UPDATE`;

/** Locks a merchant's link. Throws INVALID_STATE if the link has no valid seal. */
export async function lockLink(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<PaymentLink> {
  const link = requireLink(await tx.query<LinkRow>(LOCK, [id, merchantId, environment]));
  requireLinkSeal(tx, link);
  return link;
}

const SAVE = `
  UPDATE payment_links
  SET description = $2, is_active = $3, uses = $4, expires_at = $5, return_url = $6, color = $7, logo = $8,
    seal = $9
  WHERE id = $1`;

export async function saveLink(tx: Transaction, link: PaymentLink): Promise<void> {
  const { id, description, isActive, uses, expiresAt, returnUrl, color, logo } = link;
  const values = [description, isActive, uses, expiresAt, returnUrl, color, logo];
  await tx.query(SAVE, [id, ...values, sealOf(tx, sealedLinks, link)]);
}

const WITH_LOGO = `
  SELECT count(*)::integer AS links FROM payment_links WHERE merchant_id = $1 AND environment = $2
  AND logo IS NOT NULL`;

export async function countLinksWithLogo(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<number> {
  return (await db.query<{ links: number }>(WITH_LOGO, [merchantId, environment]))[0]?.links ?? 0;
}

/** Returns one page of a merchant's links, newest first. */
export async function listLinks(
  db: Queryable,
  tenant: Tenant,
  { now, ...query }: PaymentLinkQuery & { now: Date },
): Promise<Page<CountedLink>> {
  const { status, ...others } = query;
  const matching = narrowed(ofTenant('payment_links', tenant), others);
  if (status) narrowTo(status, { matching, now });
  (await searchOfLinks(db, tenant, query.search))?.narrow(matching);
  if (query.isActive) matching.where('is_active', query.isActive === 'true');
  const columns = LINK_COLUMNS.filter((column) => column !== 'logo');
  const rows = matching.select(selected(columns), sql.raw(counted('visits')), sql.raw(counted('starts')));
  return readPage(
    db,
    { matching: rows, itemOf: (row: CountedRow): CountedLink => ({ ...row, logo: null }) },
    query,
  );
}

/** Selects links by status, with the rules of `linkStatusOf`. */
function narrowTo(
  status: NonNullable<PaymentLinkQuery['status']>,
  { matching, now }: { matching: ComposedQuery; now: Date },
): void {
  if (status === 'USED_UP') {
    matching.whereRaw('paid >= uses');
    return;
  }
  matching.whereRaw('(paid >= uses) IS NOT TRUE').where('is_active', status !== 'INACTIVE');
  if (status === 'EXPIRED') matching.where('expires_at', '<=', now);
  if (status === 'ACTIVE') matching.whereRaw('(expires_at <= ?) IS NOT TRUE', [now]);
}

const BY_SLUG = `SELECT ${LINK_COLUMNS.join(', ')} FROM payment_links WHERE slug = $1`;

/** Returns the link for its page. Any caller that knows the address may read the link. */
export async function getLinkBySlug(db: Queryable, slug: string): Promise<PaymentLink> {
  return requireLink(await db.query<LinkRow>(BY_SLUG, [slug]));
}

const BY_ID = `SELECT ${LINK_COLUMNS.join(', ')} FROM payment_links WHERE id = $1`;

/**
 * Returns a link. Throws an Error when the link is missing, because the id comes from another row of the
 * database. Throws INVALID_STATE if the link has no valid seal.
 */
export async function readLink(db: Queryable, id: string): Promise<PaymentLink> {
  const [link] = await db.query<LinkRow>(BY_ID, [id]);
  if (!link) throw new Error('a payment link vanished');
  requireLinkSeal(db, link);
  return link;
}

const STATE = `
  SELECT ${columnsOf('merchant_id, environment, is_active, uses, paid, expires_at').join(', ')}
  FROM payment_links WHERE id = $1`;

/** Reads the fields of an existing link that decide whether it accepts payments. Does not read its logo. */
export async function readLinkState(db: Queryable, id: string): Promise<LinkState & Tenant> {
  const [state] = await db.query<LinkState & Tenant & Row>(STATE, [id]);
  if (!state) throw new Error('a payment link vanished');
  return state;
}

/** The queue of ended links whose checkouts may still be open. */
export const endingLinks = createQueue<Leased & { id: string } & Row>({
  table: 'payment_links',
  columns: ['id', 'lease_token AS "leaseToken"', 'lease_until AS "leaseUntil"'],
  due: 'next_check_at',
  attempts: 'checks',
  lease: { token: 'lease_token', until: 'lease_until' },
});

const COUNT = `
  INSERT INTO payment_link_counts AS known (link_id, slot, visits, starts)
  VALUES ($1, floor(random() * 8), $2, $3)
  ON CONFLICT (link_id, slot) DO UPDATE SET visits = known.visits + excluded.visits,
  starts = known.starts + excluded.starts`;

export async function countOf(db: Queryable, linkId: string, { visits, starts }: LinkCounts): Promise<void> {
  await db.query(COUNT, [linkId, visits, starts]);
}
