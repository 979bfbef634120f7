import type { Database } from '@plataforma/chassis';
import type { Scope } from '@plataforma/contracts';
import { type Clock, type Environment, newId, Refusal } from '@plataforma/kernel';
import { demandKeyAllowed } from '../domain/access.ts';
import { isAddressOrRange } from '../domain/address-list.ts';
import { hashOf, maskedKey, newKey } from '../domain/api-key.ts';
import { insertApiKey, type StoredKey } from '../store/api-keys.ts';
import type { Session } from '../store/sessions.ts';

interface NewKey {
  name: string;
  environment: Environment;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  expiresAt?: string | undefined;
}

/** Mints a key; the key itself leaves here once and is kept nowhere. */
export async function createApiKey(
  { database, clock }: { database: Database; clock: Clock },
  session: Session,
  { name, environment, scopes, allowedIps, expiresAt }: NewKey,
): Promise<{ key: string; stored: StoredKey }> {
  demandKeyAllowed(session.merchantStatus, environment);
  const wrong = allowedIps.find((entry) => !isAddressOrRange(entry));
  if (wrong !== undefined) {
    throw new Refusal(
      'invalid',
      'VALIDATION_ERROR',
      'allowedIps: must hold IPv4 or IPv6 addresses or CIDR ranges',
    );
  }
  const endsAt = expiresAt ? new Date(expiresAt) : null;
  if (endsAt && endsAt <= clock()) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'expiresAt: must lie in the future');
  }
  const key = newKey(environment);
  const stored: StoredKey = {
    id: newId(),
    organizationId: session.merchantId,
    name,
    maskedKey: maskedKey(key, environment),
    environment,
    scopes: [...new Set(scopes)],
    allowedIps: [...allowedIps],
    createdAt: clock(),
    expiresAt: endsAt,
    revokedAt: null,
  };
  await insertApiKey(database, stored, hashOf(key));
  return { key, stored };
}
