import { type Database, olderKeys, type SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import {
  countSealedWith,
  isTrustedSecret,
  lockSealedWith,
  SCAN_BEGIN,
  type SecretTable,
  type StoredSecret,
  saveSealed,
  secretTables,
} from '../store/sealed-secrets.ts';

export interface ResealSecrets {
  database: Database;
  secretBox: SecretBox;
  /** The ids of the keys. The first key encrypts; the others only decrypt. */
  keyIds: readonly string[];
  log: Log;
}

type Work = ResealSecrets & { olderKeyIds: readonly string[] };

interface Resealed {
  resealed: number;
  /**
   * The number of secrets that still use an older key. Each was locked by another transaction, cannot be
   * decrypted, or is in a row without a valid seal.
   */
  left: number;
}

const CHUNK = 200;

/**
 * Encrypts the secrets of older keys with the first key. Locks their rows, so that no concurrent rotation or
 * deletion is undone. If replicas have different first keys, only the replica with the newest one encrypts.
 */
export async function resealSecrets(dependencies: ResealSecrets): Promise<Resealed> {
  const { database, keyIds } = dependencies;
  const all: Resealed = { resealed: 0, left: 0 };
  if (keyIds.length < 2) return all;
  const olderKeyIds = await olderKeys(database, keyIds);
  const work = { ...dependencies, olderKeyIds };
  for (const table of secretTables) all.resealed += await resealTable(work, table);
  for (const table of secretTables) all.left += await countSealedWith(database, table, olderKeyIds);
  return all;
}

async function resealTable(dependencies: Work, table: SecretTable): Promise<number> {
  let resealed = 0;
  let after: Chunk['last'] = SCAN_BEGIN;
  while (after !== null) {
    const chunk: Chunk = await resealChunk(dependencies, table, after);
    resealed += chunk.resealed;
    after = chunk.last;
  }
  return resealed;
}

interface Chunk {
  resealed: number;
  /** The position after which the next chunk begins. Null if no rows are left. */
  last: typeof SCAN_BEGIN | null;
}

function resealChunk(dependencies: Work, table: SecretTable, after: typeof SCAN_BEGIN): Promise<Chunk> {
  return dependencies.database.transaction(async (tx) => {
    const found = await lockSealedWith(tx, table, { keyIds: dependencies.olderKeyIds, after, limit: CHUNK });
    const sealed = found
      .filter((stored) => isTrustedSecret(tx, table, stored))
      .flatMap((stored) => sealAnew(dependencies, stored));
    await saveSealed(tx, table, sealed);
    return { resealed: sealed.length, last: (found.length === CHUNK && found.at(-1)) || null };
  });
}

/**
 * Encrypts one secret again. Logs a secret that cannot be decrypted and returns an empty list for it, so that
 * the other secrets are processed.
 */
function sealAnew({ secretBox, log }: ResealSecrets, stored: StoredSecret): StoredSecret[] {
  const { configurationId, version, row } = stored;
  try {
    const sealed = secretBox.seal(secretBox.open(stored, configurationId), configurationId);
    return [{ ...sealed, configurationId, version, row }];
  } catch (error) {
    log.error({ err: error, configurationId }, 'secret not decrypted and left unchanged');
    return [];
  }
}
