import { columnsOf, namesOf, type Queryable, type Transaction, valuesIn } from '@plataforma/data';
import { isTrusted, rowsToSeal, sealOf } from '@plataforma/tables';

/** The use of a challenge. A log-in has no session yet. */
export interface ChallengeUse {
  operatorId: string;
  sessionId: string | null;
  purpose: 'add' | 'prove';
}

interface Challenge extends ChallengeUse {
  id: string;
  expiresAt: Date;
}

const COLUMNS = columnsOf('challenge AS id, operator_id, session_id, purpose, expires_at, seal');
/** The challenges, for a command that seals existing rows. */
export const challengesToSeal = rowsToSeal('operator_challenges', COLUMNS, {
  ...{ key: 'challenge', keyType: 'text' },
});

const SAVE = `
  INSERT INTO operator_challenges (${namesOf(COLUMNS)}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (session_id, purpose) DO UPDATE SET challenge = excluded.challenge,
    expires_at = excluded.expires_at, seal = excluded.seal`;

/** Saves a challenge. Replaces the session's challenge for the same purpose. */
export async function saveChallenge(tx: Transaction, challenge: Challenge): Promise<void> {
  const seal = sealOf(tx, challengesToSeal.table, challenge);
  await tx.query(SAVE, valuesIn({ ...challenge, seal }, COLUMNS));
}

const USE = `
  DELETE FROM operator_challenges
  WHERE challenge = $1 AND operator_id = $2 AND session_id IS NOT DISTINCT FROM $3 AND purpose = $4
  RETURNING ${COLUMNS}`;

/** Uses up a challenge. Returns false if it has expired, has no valid seal, or was not issued for this use. */
export async function takeChallenge(
  tx: Transaction,
  challenge: string,
  { use, now }: { use: ChallengeUse; now: Date },
): Promise<boolean> {
  const values = [challenge, use.operatorId, use.sessionId, use.purpose];
  const [row] = await tx.query<Challenge & { seal: string | null }>(USE, values);
  return row !== undefined && isTrusted(tx, challengesToSeal.table, row) && row.expiresAt > now;
}

export async function pruneChallenges(db: Queryable, now: Date): Promise<void> {
  await db.query('DELETE FROM operator_challenges WHERE expires_at <= $1', [now]);
}
