import { normaliseDocument } from '@plataforma/brcode';
import type { MerchantQuery } from '@plataforma/contracts';
import { type Page, type Queryable, readPage, composeSql as sql, type Transaction } from '@plataforma/data';
import type { Organization, OrganizationStatus, Settings } from '../domain/organization.ts';

interface OrganizationRow {
  id: string;
  email: string;
  company_name: string;
  cnpj: string;
  phone: string;
  status: OrganizationStatus;
  checkout_color: string;
  time_zone: Organization['timeZone'];
  pix_fee_bps: number;
  pix_fee_fixed_cents: number;
  card_fee_bps: number;
  card_fee_fixed_cents: number;
  card_enabled: boolean;
  max_installments: number;
  settlement_days: number;
  settlement_calendar: Settings['settlementCalendar'];
  withdrawal_fee_cents: number;
  withdrawal_fee_mode: Settings['withdrawalFeeMode'];
  auto_approve_limit_cents: number;
  daily_withdrawal_limit_cents: number | null;
  destination_cooldown_hours: number;
  sandbox_ahead_ms: number;
  version: number;
  created_at: Date;
}

const SETTINGS = `pix_fee_bps, pix_fee_fixed_cents, card_fee_bps, card_fee_fixed_cents, card_enabled, max_installments,
  settlement_days, withdrawal_fee_cents, withdrawal_fee_mode, auto_approve_limit_cents, daily_withdrawal_limit_cents,
  destination_cooldown_hours, settlement_calendar`;

const INSERT = `
  INSERT INTO organizations
    (id, company_name, cnpj, phone, status, checkout_color, time_zone, version, created_at, ${SETTINGS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`;

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
    ...settingValues(organization.settings),
  ]);
}

const HAS_APPROVED = `SELECT FROM organizations WHERE cnpj = $1 AND status IN ('APPROVED', 'SUSPENDED')`;

/** Whether an account that an operator has approved has this CNPJ; such an account is the only one. */
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
  SELECT u.id, u.organization_id, u.password_hash, u.password_version, u.email, o.status = 'APPROVED' AS is_approved
  FROM users u JOIN organizations o ON o.id = u.organization_id`;

const FIND_USER = `${USER} WHERE u.email = $1`;

export interface User {
  id: string;
  organizationId: string;
  passwordHash: string;
  passwordVersion: number;
  /** Whether an operator has approved the account. */
  isApproved: boolean;
}

export async function findUser(db: Queryable, email: string): Promise<User | null> {
  const [row] = await db.query<UserRow>(FIND_USER, [email]);
  return row ? userOf(row) : null;
}

interface UserRow {
  id: string;
  organization_id: string;
  password_hash: string;
  password_version: number;
  email: string;
  is_approved: boolean;
}

function userOf({ id, ...row }: UserRow): User {
  return {
    id,
    organizationId: row.organization_id,
    passwordHash: row.password_hash,
    passwordVersion: row.password_version,
    isApproved: row.is_approved,
  };
}

const FIND_USER_BY_ID = `${USER} WHERE u.id = $1`;

export async function findUserById(db: Queryable, id: string): Promise<(User & { email: string }) | null> {
  const [row] = await db.query<UserRow>(FIND_USER_BY_ID, [id]);
  return row ? { ...userOf(row), email: row.email } : null;
}

const SAVE_PASSWORD = `
  UPDATE users SET password_hash = $3, password_version = password_version + 1 WHERE id = $1 AND password_hash = $2 RETURNING id`;

/** Answers false when the verified password has been changed since. */
export async function savePassword(tx: Transaction, user: User, passwordHash: string): Promise<boolean> {
  return (await tx.query(SAVE_PASSWORD, [user.id, user.passwordHash, passwordHash])).length > 0;
}

/** Named one by one: a column that a newer release adds must not change what a prepared statement answers. */
const COLUMNS = `o.id, o.company_name, o.cnpj, o.phone, o.status, o.checkout_color, o.time_zone, o.version, o.created_at,
  o.sandbox_ahead_ms, u.email, ${SETTINGS}`;
const SELECT = `SELECT ${COLUMNS} FROM organizations o JOIN users u ON u.organization_id = o.id`;

const FIND = `${SELECT} WHERE o.id = $1`;

export async function findOrganization(db: Queryable, id: string): Promise<Organization | null> {
  const [row] = await db.query<OrganizationRow>(FIND, [id]);
  return row ? organizationOf(row) : null;
}

const LOCK = `${FIND} FOR NO KEY UPDATE OF o`;

export async function lockOrganization(tx: Transaction, id: string): Promise<Organization | null> {
  const [row] = await tx.query<OrganizationRow>(LOCK, [id]);
  return row ? organizationOf(row) : null;
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
  UPDATE organizations SET version = $2,
    (${SETTINGS}) = ROW ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  WHERE id = $1`;

export async function saveSettings(tx: Transaction, { id, version, settings }: Organization): Promise<void> {
  await tx.query(SAVE_SETTINGS, [id, version, ...settingValues(settings)]);
}

/** In the order of SETTINGS. */
function settingValues(settings: Settings): unknown[] {
  return [
    settings.pixFeeBps,
    settings.pixFeeFixed,
    settings.cardFeeBps,
    settings.cardFeeFixed,
    settings.cardEnabled,
    settings.maxInstallments,
    settings.settlementDays,
    settings.withdrawalFee,
    settings.withdrawalFeeMode,
    settings.autoApproveLimit,
    settings.dailyWithdrawalLimit,
    settings.destinationCooldownHours,
    settings.settlementCalendar,
  ];
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
  return readPage(
    db,
    { matching: matching.select(sql.raw(COLUMNS)), itemOf: organizationOf, newestBy },
    slice,
  );
}

function organizationOf(row: OrganizationRow): Organization {
  return {
    id: row.id,
    email: row.email,
    companyName: row.company_name,
    cnpj: row.cnpj,
    phone: row.phone,
    status: row.status,
    checkoutColor: row.checkout_color,
    timeZone: row.time_zone,
    settings: {
      pixFeeBps: row.pix_fee_bps,
      pixFeeFixed: row.pix_fee_fixed_cents,
      cardFeeBps: row.card_fee_bps,
      cardFeeFixed: row.card_fee_fixed_cents,
      cardEnabled: row.card_enabled,
      maxInstallments: row.max_installments,
      settlementDays: row.settlement_days,
      settlementCalendar: row.settlement_calendar,
      withdrawalFee: row.withdrawal_fee_cents,
      withdrawalFeeMode: row.withdrawal_fee_mode,
      autoApproveLimit: row.auto_approve_limit_cents,
      dailyWithdrawalLimit: row.daily_withdrawal_limit_cents,
      destinationCooldownHours: row.destination_cooldown_hours,
    },
    sandboxAheadMs: row.sandbox_ahead_ms,
    version: row.version,
    createdAt: row.created_at,
  };
}
