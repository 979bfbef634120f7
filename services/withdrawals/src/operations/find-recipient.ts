import type { PixKeyType } from '@plataforma/brcode';
import type { Database } from '@plataforma/data';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import { KNOWN_KEY, requireLookupsLeft } from '../domain/recipient-limit.ts';
import type { Recipient } from '../payouts/efi-recipients.ts';
import { insertLookup, lockLookups, pruneLookups, setLookupCost } from '../store/recipient-lookups.ts';

export interface FindRecipient {
  database: Database;
  clock: Clock;
  askForRecipient(tenant: Tenant, pixKey: string): Promise<Recipient | null>;
}

interface Key {
  pixKey: string;
  pixKeyType: PixKeyType;
}

/**
 * Asks the provider for the owner of a Pix key. Throws RATE_LIMITED beyond the merchant's limit, and
 * PIX_KEY_NOT_FOUND if no account has the key. Counts the lookup before the request, so that it also counts
 * if the process dies.
 */
export async function findRecipient(
  { database, clock, askForRecipient }: FindRecipient,
  tenant: Tenant,
  { pixKey, pixKeyType }: Key,
): Promise<Key & Recipient> {
  const now = clock();
  const lookupId = await database.transaction(async (tx) => {
    requireLookupsLeft(await lockLookups(tx, tenant, now), now);
    await pruneLookups(tx, now);
    return insertLookup(tx, tenant, pixKey, now);
  });
  const costLess = () => setLookupCost(database, lookupId, KNOWN_KEY);
  const recipient = await askForRecipient(tenant, pixKey).catch(async (error) => {
    await costLess();
    throw error;
  });
  if (!recipient) throw new Refusal('missing', 'PIX_KEY_NOT_FOUND', 'pixKey: no account has this key');
  await costLess();
  return { pixKey, pixKeyType, ...recipient };
}
