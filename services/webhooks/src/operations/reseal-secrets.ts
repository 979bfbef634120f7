import { type Database, olderKeys, type SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import {
  countSealedWith,
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
  /** The key that seals, then the keys that only open. */
  keyIds: readonly string[];
  log: Log;
}

type Work = ResealSecrets & { olderKeyIds: readonly string[] };

interface Resealed {
  resealed: number;
  /** Secrets still sealed with an older key: another transaction had locked them, or they can't be opened. */
  left: number;
}

const CHUNK = 200;

/**
 * Reseals secrets of older keys with the first key. It locks rows in chunks, so that it undoes no rotation or
 * deletion; deliveries can open either form. If two replicas order the keys differently, only the one whose
 * first key began to seal later reseals.
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
  /** The position after which the next chunk begins; null: no rows are left. */
  last: typeof SCAN_BEGIN | null;
}

function resealChunk(dependencies: Work, table: SecretTable, after: typeof SCAN_BEGIN): Promise<Chunk> {
  return dependencies.database.transaction(async (tx) => {
    const found = await lockSealedWith(tx, table, { keyIds: dependencies.olderKeyIds, after, limit: CHUNK });
    const sealed = found.flatMap((stored) => sealAnew(dependencies, stored));
    await saveSealed(tx, table, sealed);
    return { resealed: sealed.length, last: (found.length === CHUNK && found.at(-1)) || null };
  });
}

/** Reseals one secret; logs one that can't be opened and returns none for it, so that the others continue. */
function sealAnew({ secretBox, log }: ResealSecrets, stored: StoredSecret): StoredSecret[] {
  const { configurationId, version } = stored;
  try {
    const sealed = secretBox.seal(secretBox.open(stored, configurationId), configurationId);
    return [{ ...sealed, configurationId, version }];
  } catch (error) {
    log.error({ err: error, configurationId }, 'secret not decrypted and left unchanged');
    return [];
  }
}
