import type { Database, Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { hashOf, maskedKey, newKey } from '../domain/api-key.ts';
import { failPoint } from '../fail-points.ts';
import { countWorkingKeys, insertApiKey, type StoredKey } from './api-keys.ts';

/**
 * The limit of valid API keys of an organization. It keeps the list of keys readable. Lookups by hash are
 * fast with any number of keys.
 */
const MAX_WORKING_KEYS = 100;

export interface MintKeys {
  database: Database;
  clock: Clock;
  saveResponse: (tx: Transaction, minted: MintedKey) => Promise<void>;
}

export interface MintedKey {
  key: string;
  stored: StoredKey;
}

/**
 * Creates an API key and stores only its hash. The transaction must have locked the organization, because two
 * concurrent requests could otherwise exceed the limit.
 */
export async function mintKey(
  tx: Transaction,
  keyFields: Pick<
    StoredKey,
    'id' | 'organizationId' | 'name' | 'environment' | 'scopes' | 'allowedIps' | 'expiresAt'
  >,
  now: Date,
): Promise<MintedKey> {
  if ((await countWorkingKeys(tx, keyFields.organizationId, now)) >= MAX_WORKING_KEYS) {
    const message = `${MAX_WORKING_KEYS} API keys work already: revoke one first`;
    throw new Refusal('unprocessable', 'API_KEY_LIMIT_REACHED', message);
  }
  const key = newKey(keyFields.environment);
  const stored: StoredKey = {
    ...keyFields,
    maskedKey: maskedKey(key, keyFields.environment),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    replacedBy: null,
  };
  await insertApiKey(tx, stored, hashOf(key));
  failPoint('key.minted');
  return { key, stored };
}
