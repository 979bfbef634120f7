import type { Queryable } from '@plataforma/chassis';
import type { OperatorRole } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';

export interface Operator {
  id: string;
  passwordHash: string;
  role: OperatorRole;
}

const FIND = 'SELECT id, password_hash, role FROM operators WHERE email = $1';

export async function findOperator(db: Queryable, email: string): Promise<Operator | null> {
  const [row] = await db.query<{ id: string; password_hash: string; role: OperatorRole }>(FIND, [email]);
  return row ? { id: row.id, passwordHash: row.password_hash, role: row.role } : null;
}

const INSERT_FIRST = `
  INSERT INTO operators (id, email, password_hash, role, created_at)
  SELECT $1, $2, $3, 'ADMIN', now() WHERE NOT EXISTS (SELECT 1 FROM operators)
  ON CONFLICT DO NOTHING`;

/** Adds an ADMIN when there is no operator at all; else does nothing. */
export async function insertFirstOperator(db: Queryable, email: string, passwordHash: string): Promise<void> {
  await db.query(INSERT_FIRST, [newId(), email, passwordHash]);
}

const HAS_ANY = 'SELECT 1 FROM operators LIMIT 1';

export async function hasOperators(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_ANY)).length > 0;
}
