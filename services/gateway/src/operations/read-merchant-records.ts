import type { Queryable } from '@plataforma/data';
import { messagesAbout, proposalsAbout } from '@plataforma/tables';
import { findOrganization } from '../store/organizations.ts';

/** Reads the gateway's records of a merchant for its timeline. Returns null if the id is not that of a merchant. */
export async function readMerchantRecords(db: Queryable, id: string) {
  const organization = await findOrganization(db, id);
  if (!organization) return null;
  const [messages, proposals] = await Promise.all([messagesAbout(db, [id]), proposalsAbout(db, [id])]);
  const entries = [...messages, ...proposals].map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  return { subject: { kind: 'merchant' as const, id, merchantId: id, status: organization.status }, entries };
}
