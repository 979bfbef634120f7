import { documentIn, type SearchWord, searchWordsOf } from '@plataforma/contracts';
import {
  type ComposedQuery,
  escaped,
  narrowByOne,
  narrowToWords,
  type Queryable,
  runComposed,
  composeSql as sql,
} from '@plataforma/data';
import { isUuid, type Tenant } from '@plataforma/kernel';
import { ofTenant } from './owned-rows.ts';

/**
 * The condition on the status is always true, but lets PostgreSQL use two partial indexes on the end of the
 * externalId. One index has the charges that ended unpaid, the other has all other charges.
 */
export const TAIL = `right(external_id, 8) = right(?, 8)
  AND (status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED') OR status IN ('DECLINED', 'EXPIRED', 'CANCELLED'))`;
export const PIX_TAIL = 'right(end_to_end_id, 8) = right(?, 8) AND end_to_end_id IS NOT NULL';

/** The expression of the index `charges_searched`. */
const TEXT = "plain_text(payer_name || ' ' || external_id)";
const TAIL_LENGTH = 8;

/** The largest number of rows that a search counts, because a word may match every row. */
export const MAX_COUNTED = 10_000;

export interface Search {
  /** True when the search must read every row. */
  isSlow: boolean;
  narrow: (rows: ComposedQuery) => ComposedQuery;
}

/**
 * Builds the search of charges. A text with a digit or `@` that identifies charges finds only these. Any
 * other text finds the charges with its words, and those that it identifies.
 */
export function searchOf(db: Queryable, tenant: Tenant, search: string | undefined): Promise<Search | null> {
  const byWords = (rows: ComposedQuery, words: readonly SearchWord[]) =>
    narrowToWords(rows, words, { text: TEXT, amount: 'amount_cents' });
  return searchBy(db, search, { identified: (text) => found(tenant, text), byWords });
}

/**
 * Builds the search of refunds or disputes. It finds a row by the row's id or amount, and by the ids and
 * words that find the row's charge.
 */
export function searchByCharge(
  db: Queryable,
  { tenant, table }: { tenant: Tenant; table: 'refunds' | 'disputes' },
  search: string | undefined,
): Promise<Search | null> {
  const own = () => ofTenant(table, tenant).select('id');
  const identified = (text: string) =>
    sql.union([own().whereIn('charge_id', found(tenant, text)), ...byOwnId(own, text)], true);
  const byWords = (rows: ComposedQuery, words: readonly SearchWord[]) => {
    const charge = sql('charges').whereRaw('charges.id = ??', [`${table}.charge_id`]);
    return narrowByOne(rows, narrowToWords(charge, words, { text: TEXT, amount: `${table}.amount_cents` }));
  };
  return searchBy(db, search, { identified, byWords });
}

/** Builds the search of payment links. Words need no index, because an account has few links. */
export function searchOfLinks(
  db: Queryable,
  tenant: Tenant,
  search: string | undefined,
): Promise<Search | null> {
  const text = "plain_text(concat_ws(' ', description, external_id, external_id_prefix, slug))";
  const identified = (id: string) =>
    sql.union(
      byOwnId(() => ofTenant('payment_links', tenant).select('id'), id),
      true,
    );
  const byWords = (rows: ComposedQuery, words: readonly SearchWord[]) =>
    narrowToWords(rows, words, { text, amount: 'amount_cents' });
  return searchBy(db, search, { identified, byWords });
}

interface Searched {
  /** Returns a query of the ids of the rows that the text identifies. */
  identified: (search: string) => ComposedQuery;
  byWords: (rows: ComposedQuery, words: readonly SearchWord[]) => ComposedQuery;
}

async function searchBy(
  db: Queryable,
  search: string | undefined,
  { identified, byWords }: Searched,
): Promise<Search | null> {
  if (search === undefined) return null;
  const byId = identified(search);
  const isId = (await runComposed(db, byId.clone().limit(1))).length > 0;
  if (isId && /[\d@]/.test(search)) return { isSlow: false, narrow: (rows) => rows.whereIn('id', byId) };
  const words = searchWordsOf(search);
  return {
    isSlow: true,
    narrow: (rows) =>
      rows.where((any) => {
        any.where((all) => void byWords(all, words));
        if (isId) any.orWhereIn('id', byId);
      }),
  };
}

/**
 * Selects charges that the text identifies: by an id, or by the last eight characters of an id as pages show
 * them. The payer's document, and an e-mail or its beginning up to the `@`, identify charges too. Each
 * condition uses an index.
 */
function found(tenant: Tenant, search: string): ComposedQuery {
  const own = () => ofTenant('charges', tenant).select('id');
  const document = documentIn(search);
  const email = search.trim().toLowerCase();
  const meant = [
    own().where('external_id', search).whereRaw(TAIL, search),
    own().where('txid', search),
    own().where('end_to_end_id', search).whereRaw(PIX_TAIL, search),
    ...byOwnId(own, search),
  ];
  if (document !== null) meant.push(own().where('payer_document', document));
  if (email.indexOf('@') > 0) meant.push(own().whereRaw('payer_email LIKE ?', `${escaped(email)}%`));
  if (search.length === TAIL_LENGTH)
    meant.push(own().whereRaw(TAIL, search), own().whereRaw(PIX_TAIL, search));
  return sql.union(meant, true);
}

/** Returns queries of the rows with this id, and of those whose id ends with these eight characters. */
function byOwnId(own: () => ComposedQuery, search: string): ComposedQuery[] {
  const id = search.toLowerCase();
  if (isUuid(id)) return [own().where('id', id)];
  if (search.length === TAIL_LENGTH) return [own().whereRaw('right(id::text, 8) = ?', id)];
  return [own().whereRaw('false')];
}
