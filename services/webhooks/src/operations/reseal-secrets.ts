import type { Database, SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import {
  countSealedWith,
  FIRST_ID,
  lockSealedWith,
  type StoredSecret,
  saveSealed,
} from '../store/sealed-secrets.ts';

export interface ResealSecrets {
  database: Database;
  secretBox: SecretBox;
  /** Those that only open. */
  olderKeyIds: readonly string[];
  log: Log;
}

interface Resealed {
  resealed: number;
  /** Still under an older key: somebody was changing them, or they can't be opened. */
  left: number;
}

const CHUNK = 200;

/**
 * Seals with the first key what an older one has sealed. The rows are locked a chunk at a time, so that no rotation or
 * deletion is undone by it; deliveries read them meanwhile, and open either form.
 */
export async function resealSecrets(parts: ResealSecrets): Promise<Resealed> {
  const { database, olderKeyIds } = parts;
  if (olderKeyIds.length === 0) return { resealed: 0, left: 0 };
  let resealed = 0;
  let after: string | null = FIRST_ID;
  while (after !== null) {
    const chunk: Chunk = await resealChunk(parts, after);
    resealed += chunk.resealed;
    after = chunk.last;
  }
  return { resealed, left: await countSealedWith(database, olderKeyIds) };
}

interface Chunk {
  resealed: number;
  /** After which the next begins; null: there is no more. */
  last: string | null;
}

function resealChunk(parts: ResealSecrets, after: string): Promise<Chunk> {
  return parts.database.transaction(async (tx) => {
    const found = await lockSealedWith(tx, parts.olderKeyIds, { after, limit: CHUNK });
    const sealed = found.flatMap((stored) => sealAnew(parts, stored));
    await saveSealed(tx, sealed);
    const last = found.length === CHUNK ? found.at(-1)?.configurationId : undefined;
    return { resealed: sealed.length, last: last ?? null };
  });
}

/** One that can't be opened is told of, and keeps no other from being sealed. */
function sealAnew(
  { secretBox, log }: ResealSecrets,
  { configurationId, secret }: StoredSecret,
): StoredSecret[] {
  try {
    const text = secretBox.open(secret, configurationId);
    return [{ configurationId, secret: secretBox.seal(text, configurationId) }];
  } catch (error) {
    log.error({ err: error, configurationId }, 'a secret can’t be opened, and stays as it is');
    return [];
  }
}
