import type { Transaction } from '@plataforma/data';
import type { Organization } from '../domain/organization.ts';

const INSERT = `
  INSERT INTO accepted_terms (organization_id, user_id, url, at) VALUES ($1, $2, $3, $4)`;

/** Records the terms that the first user of an account accepted, if any. */
export async function insertAcceptedTerms(
  tx: Transaction,
  { id, acceptedTerms, createdAt }: Organization,
  userId: string,
): Promise<void> {
  if (acceptedTerms) await tx.query(INSERT, [id, userId, acceptedTerms.url, createdAt]);
}
