import { columnsOf, namesOf, type Queryable, type Transaction, valuesIn } from '@plataforma/data';
import { isTrusted, rowsToSeal, sealOf } from '@plataforma/tables';
import type { Organization } from '../domain/organization.ts';

const COLUMNS = columnsOf('id, organization_id, email, password_hash, password_version, created_at, seal');
/** The users, for a command that seals existing rows. */
export const usersToSeal = rowsToSeal('users', COLUMNS);

export interface User {
  id: string;
  organizationId: string;
  passwordHash: string;
  passwordVersion: number;
  email: string;
  createdAt: Date;
  isApproved: boolean;
}

const INSERT = `INSERT INTO users (${namesOf(COLUMNS)}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

interface NewUser {
  id: string;
  organization: Organization;
  passwordHash: string;
}

export async function insertUser(
  tx: Transaction,
  { id, organization: { id: organizationId, email, createdAt }, passwordHash }: NewUser,
): Promise<void> {
  const user = { id, organizationId, email, passwordHash, passwordVersion: 0, createdAt };
  await tx.query(INSERT, valuesIn({ ...user, seal: sealOf(tx, usersToSeal.table, user) }, COLUMNS));
}

const USER = `
  SELECT ${COLUMNS.map((column) => `u.${column}`)}, o.status = 'APPROVED' AS "isApproved"
  FROM users u JOIN organizations o ON o.id = u.organization_id`;
const FIND = { email: `${USER} WHERE u.email = $1`, id: `${USER} WHERE u.id = $1` };

/** Finds a user. Returns null if the user has no valid seal. */
export async function findUser(db: Queryable, by: keyof typeof FIND, value: string): Promise<User | null> {
  const [row] = await db.query<User & { seal: string | null }>(FIND[by], [value]);
  return row && isTrusted(db, usersToSeal.table, row) ? row : null;
}

const SAVE_PASSWORD = `
  UPDATE users SET password_hash = $3, password_version = $4, seal = $5
  WHERE id = $1 AND password_hash = $2 RETURNING id`;

/** Saves a new password. Returns false if the password was changed after it was verified. */
export async function savePassword(tx: Transaction, user: User, passwordHash: string): Promise<boolean> {
  const passwordVersion = user.passwordVersion + 1;
  // The seal covers the other fields as they were verified. If these have changed since, the seal is invalid.
  const changed = { ...user, passwordHash, passwordVersion };
  const seal = sealOf(tx, usersToSeal.table, changed);
  const values = [user.id, user.passwordHash, passwordHash, passwordVersion, seal];
  return (await tx.query(SAVE_PASSWORD, values)).length > 0;
}
