import type { Database, Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { hashOf, maskedKey, newKey } from '../domain/api-key.ts';
import { failPoint } from '../fail-points.ts';
import { countWorkingKeys, insertApiKey, type StoredKey } from './api-keys.ts';

/** Each works at once and is looked up by its hash: the limit is for those who keep an eye on them. */
const MAX_WORKING_KEYS = 100;

export interface MintKeys {
  database: Database;
  clock: Clock;
  /** Called in the transaction with what it commits. */
  saveResponse: (tx: Transaction, minted: MintedKey) => Promise<void>;
}

export interface MintedKey {
  key: string;
  stored: StoredKey;
}

/**
 * Mints a key; the key itself leaves here once and is kept nowhere. In a transaction that has locked the organization:
 * two at once would both find room for one.
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
