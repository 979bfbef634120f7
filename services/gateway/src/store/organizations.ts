import { normaliseDocument } from '@plataforma/brcode';
import type { MerchantQuery } from '@plataforma/contracts';
import {
  columnsOf,
  namesOf,
  type Page,
  type Queryable,
  readRows,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import { isTrusted, requireTrusted, rowsToSeal, sealOf } from '@plataforma/tables';
import type { Organization, Settings } from '../domain/organization.ts';

/** The columns of settings, in the order in which responses show them. */
const settingColumns = {
  pixFeeBps: 'pix_fee_bps',
  pixFeeFixed: 'pix_fee_fixed_cents',
  cardFeeBps: 'card_fee_bps',
  cardFeeFixed: 'card_fee_fixed_cents',
  cardEnabled: 'card_enabled',
  maxInstallments: 'max_installments',
  settlementDays: 'settlement_days',
  settlementCalendar: 'settlement_calendar',
  withdrawalFee: 'withdrawal_fee_cents',
  withdrawalFeeMode: 'withdrawal_fee_mode',
  autoApproveLimit: 'auto_approve_limit_cents',
  dailyWithdrawalLimit: 'daily_withdrawal_limit_cents',
  destinationCooldownHours: 'destination_cooldown_hours',
  newPayeesPerDay: 'new_payees_per_day',
} as const satisfies Record<keyof Settings, string>;

/**
 * The columns are listed instead of `*`, because a column that a newer release adds would change the result
 * of a prepared statement.
 */
const STORED = [
  ...columnsOf('id, company_name, cnpj, phone, status, checkout_color, time_zone, sandbox_ahead_ms'),
  ...columnsOf('sandbox_limits, version, created_at'),
  ...Object.entries(settingColumns).map(([name, column]) => `${column} AS "${name}"`),
  'seal',
];
/** The organizations, for a command that seals existing rows. */
export const organizationsToSeal = rowsToSeal('organizations', STORED);

const NAMES = namesOf(STORED);
const VALUES = STORED.map((_column, at) => `$${at + 1}`);

/** Returns the values of an organization's columns, with a new seal. */
function valuesOf(db: Queryable, { settings, ...organization }: Organization): unknown[] {
  const row = { ...organization, ...settings };
  return valuesIn({ ...row, seal: sealOf(db, organizationsToSeal.table, row) }, STORED);
}

const INSERT = `INSERT INTO organizations (${NAMES}) VALUES (${VALUES})`;

export async function insertOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await tx.query(INSERT, valuesOf(tx, organization));
}

const HAS_APPROVED = `SELECT FROM organizations WHERE cnpj = $1 AND status IN ('APPROVED', 'SUSPENDED')`;

/** Returns whether an approved account has this CNPJ. A CNPJ belongs to at most one approved account. */
export async function hasApprovedAccount(db: Queryable, cnpj: string): Promise<boolean> {
  return (await db.query(HAS_APPROVED, [cnpj])).length > 0;
}

const FIELDS = Object.entries(settingColumns).map(([name, column]) => `'${name}', o.${column}`);
const COLUMNS = `o.id, u.email, o.company_name AS "companyName", o.cnpj, o.phone, o.status, o.version,
  o.checkout_color AS "checkoutColor", o.time_zone AS "timeZone", o.sandbox_ahead_ms AS "sandboxAheadMs",
  o.sandbox_limits AS "sandboxLimits", o.created_at AS "createdAt", json_build_object(${FIELDS}) AS settings,
  (SELECT to_json(t) FROM accepted_terms t WHERE t.organization_id = o.id) AS "acceptedTerms"`;
const BY_ID = 'FROM organizations o JOIN users u ON u.organization_id = o.id WHERE o.id = $1';

const FIND = `SELECT ${COLUMNS} ${BY_ID}`;

/** Finds an organization for display only, without a check of its seal. */
export async function findOrganization(db: Queryable, id: string): Promise<Organization | null> {
  const [organization] = await db.query<Organization>(FIND, [id]);
  return organization ?? null;
}

const READ = `SELECT ${COLUMNS}, o.seal ${BY_ID}`;
const LOCK = `${READ} FOR NO KEY UPDATE OF o`;

/** Reads an organization before an action. Throws INVALID_STATE if the organization has no valid seal. */
export function readOrganization(db: Queryable, id: string): Promise<Organization | null> {
  return trusted(db, READ, id);
}

/** Locks an organization before a change. Throws INVALID_STATE if the organization has no valid seal. */
export function lockOrganization(tx: Transaction, id: string): Promise<Organization | null> {
  return trusted(tx, LOCK, id);
}

async function trusted(db: Queryable, statement: string, id: string): Promise<Organization | null> {
  const [row] = await db.query<Organization & { seal: string | null }>(statement, [id]);
  if (!row) return null;
  const { seal, ...organization } = row;
  requireTrusted(db, organizationsToSeal.table, { ...organization, ...organization.settings, seal });
  return organization;
}

const SAVE = `UPDATE organizations SET (${NAMES}) = ROW (${VALUES}) WHERE id = $1`;

/** Saves an organization that the transaction has locked. */
export async function saveOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await tx.query(SAVE, valuesOf(tx, organization));
}

/** The columns of the organization `o` of a session or an API key, for `ownerOf`. */
export const OWNER_COLUMNS = STORED.slice(1).map((column) =>
  `o.${column}`
    .replace(/^(o.created_at AS ).*/, '$1"ownerCreatedAt"')
    .replace('o.seal', 'o.seal AS "ownerSeal"'),
);

export interface OwnerRow {
  organizationId: string;
  status: Organization['status'];
  timeZone: Organization['timeZone'];
  sandboxAheadMs: number;
  ownerCreatedAt: Date;
  ownerSeal: string | null;
}

/** Returns the organization of a session or an API key. Returns null if it has no valid seal. */
export function ownerOf(db: Queryable, row: OwnerRow) {
  const { organizationId: id, ownerCreatedAt: createdAt, ownerSeal: seal } = row;
  const { status: merchantStatus, timeZone, sandboxAheadMs } = row;
  const organization = { ...row, id, createdAt, seal };
  if (!isTrusted(db, organizationsToSeal.table, organization)) return null;
  return { merchantId: id, merchantStatus, timeZone, sandboxAheadMs };
}

export function listOrganizations(
  db: Queryable,
  { status, search, ...slice }: MerchantQuery,
): Promise<Page<Organization>> {
  const matching = sql({ o: 'organizations' }).join({ u: 'users' }, 'u.organization_id', 'o.id');
  if (status) matching.where('o.status', status);
  if (search) {
    const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    matching.where((named) => {
      named.whereILike('o.company_name', part).orWhereILike('u.email', part);
      named.orWhere('o.cnpj', normaliseDocument(search));
    });
  }
  const newestBy = ['o.created_at', 'o.id'];
  return readRows(db, { matching: matching.select(sql.raw(COLUMNS)), newestBy }, slice);
}
