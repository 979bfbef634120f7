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
  /** The one that seals, and those that only open. */
  keyIds: readonly string[];
  log: Log;
}

type Work = ResealSecrets & { olderKeyIds: readonly string[] };

interface Resealed {
  resealed: number;
  /** Still under an older key: another transaction was changing them, or they can't be opened. */
  left: number;
}

const CHUNK = 200;

/**
 * Seals with the first key what an older one has sealed. The rows are locked a chunk at a time, so that no rotation or
 * deletion is undone by it; deliveries read them meanwhile, and open either form. Where two replicas have two orders of the
 * keys, the one whose first key began to seal later does it, and the other nothing.
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
  /** After which the next begins; null: there is no more. */
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

/** Logs a secret that can't be opened, and goes on with the others. */
function sealAnew({ secretBox, log }: ResealSecrets, stored: StoredSecret): StoredSecret[] {
  const { configurationId, version } = stored;
  try {
    const sealed = secretBox.seal(secretBox.open(stored, configurationId), configurationId);
    return [{ ...sealed, configurationId, version }];
  } catch (error) {
    log.error({ err: error, configurationId }, 'a secret can’t be opened, and stays as it is');
    return [];
  }
}
