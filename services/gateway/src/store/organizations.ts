import { normaliseDocument } from '@plataforma/brcode';
import type { MerchantQuery } from '@plataforma/contracts';
import { type Page, type Queryable, readRows, composeSql as sql, type Transaction } from '@plataforma/data';
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

const SETTINGS = Object.values(settingColumns).join(', ');

function settingValues(settings: Settings): unknown[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  return Object.keys(settingColumns).map((name) => values.get(name));
}

const INSERT = `
  INSERT INTO organizations
    (id, company_name, cnpj, phone, status, checkout_color, time_zone, version, created_at, sandbox_limits,
    ${SETTINGS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
  $22, $23, $24)`;

export async function insertOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await tx.query(INSERT, [
    organization.id,
    organization.companyName,
    organization.cnpj,
    organization.phone,
    organization.status,
    organization.checkoutColor,
    organization.timeZone,
    organization.version,
    organization.createdAt,
    organization.sandboxLimits,
    ...settingValues(organization.settings),
  ]);
}

const HAS_APPROVED = `SELECT FROM organizations WHERE cnpj = $1 AND status IN ('APPROVED', 'SUSPENDED')`;

/** Returns whether an approved account has this CNPJ. A CNPJ belongs to at most one approved account. */
export async function hasApprovedAccount(db: Queryable, cnpj: string): Promise<boolean> {
  return (await db.query(HAS_APPROVED, [cnpj])).length > 0;
}

const INSERT_USER = `
  INSERT INTO users (id, organization_id, email, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)`;

interface NewUser {
  id: string;
  organization: Organization;
  passwordHash: string;
}

export async function insertUser(
  tx: Transaction,
  { id, organization, passwordHash }: NewUser,
): Promise<void> {
  await tx.query(INSERT_USER, [
    id,
    organization.id,
    organization.email,
    passwordHash,
    organization.createdAt,
  ]);
}

const USER = `
  SELECT u.id, u.organization_id AS "organizationId", u.password_hash AS "passwordHash",
    u.password_version AS "passwordVersion", u.email, o.status = 'APPROVED' AS "isApproved"
  FROM users u JOIN organizations o ON o.id = u.organization_id`;

const FIND_USER = `${USER} WHERE u.email = $1`;

export interface User {
  id: string;
  organizationId: string;
  passwordHash: string;
  passwordVersion: number;
  email: string;
  isApproved: boolean;
}

export async function findUser(db: Queryable, email: string): Promise<User | null> {
  const [user] = await db.query<User>(FIND_USER, [email]);
  return user ?? null;
}

const FIND_USER_BY_ID = `${USER} WHERE u.id = $1`;

export async function findUserById(db: Queryable, id: string): Promise<User | null> {
  const [user] = await db.query<User>(FIND_USER_BY_ID, [id]);
  return user ?? null;
}

const SAVE_PASSWORD = `
  UPDATE users SET password_hash = $3, password_version = password_version + 1 WHERE id = $1
  AND password_hash = $2 RETURNING id`;

/** Saves a new password. Returns false if the password was changed after it was verified. */
export async function savePassword(tx: Transaction, user: User, passwordHash: string): Promise<boolean> {
  return (await tx.query(SAVE_PASSWORD, [user.id, user.passwordHash, passwordHash])).length > 0;
}

const SETTING_FIELDS = Object.entries(settingColumns).map(([name, column]) => `'${name}', o.${column}`);
/**
 * The columns are listed instead of `*`, because a column that a newer release adds would change the result
 * of a prepared statement.
 */
const COLUMNS = `o.id, u.email, o.company_name AS "companyName", o.cnpj, o.phone, o.status,
  o.checkout_color AS "checkoutColor", o.time_zone AS "timeZone", o.sandbox_ahead_ms AS "sandboxAheadMs",
  o.sandbox_limits AS "sandboxLimits", o.version, o.created_at AS "createdAt",
  json_build_object(${SETTING_FIELDS}) AS settings`;
const SELECT = `SELECT ${COLUMNS} FROM organizations o JOIN users u ON u.organization_id = o.id`;

const FIND = `${SELECT} WHERE o.id = $1`;

export async function findOrganization(db: Queryable, id: string): Promise<Organization | null> {
  const [organization] = await db.query<Organization>(FIND, [id]);
  return organization ?? null;
}

const LOCK = `${FIND} FOR NO KEY UPDATE OF o`;

export async function lockOrganization(tx: Transaction, id: string): Promise<Organization | null> {
  const [organization] = await tx.query<Organization>(LOCK, [id]);
  return organization ?? null;
}

const SAVE_STATUS = 'UPDATE organizations SET status = $2, version = $3 WHERE id = $1';

export async function saveOrganizationStatus(tx: Transaction, organization: Organization): Promise<void> {
  await tx.query(SAVE_STATUS, [organization.id, organization.status, organization.version]);
}

const SAVE_PROFILE =
  'UPDATE organizations SET checkout_color = $2, phone = $3, time_zone = $4, version = $5 WHERE id = $1';

export async function saveProfile(tx: Transaction, organization: Organization): Promise<void> {
  const { id, checkoutColor, phone, timeZone, version } = organization;
  await tx.query(SAVE_PROFILE, [id, checkoutColor, phone, timeZone, version]);
}

const SAVE_CLOCK = 'UPDATE organizations SET sandbox_ahead_ms = $2, version = $3 WHERE id = $1';

export async function saveClock(tx: Transaction, organization: Organization): Promise<void> {
  await tx.query(SAVE_CLOCK, [organization.id, organization.sandboxAheadMs, organization.version]);
}

const SAVE_SETTINGS = `
  UPDATE organizations SET version = $2, sandbox_limits = $3,
    (${SETTINGS}) = ROW ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  WHERE id = $1`;

export async function saveSettings(tx: Transaction, organization: Organization): Promise<void> {
  const { id, version, settings, sandboxLimits } = organization;
  await tx.query(SAVE_SETTINGS, [id, version, sandboxLimits, ...settingValues(settings)]);
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
