import { type Database, olderKeys, type SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { lockSealedWith, type StoredFile, saveSealed } from '../store/dispute-files.ts';

interface ResealFiles {
  database: Database;
  fileBox: SecretBox | null;
  /** The id of the key that seals, followed by the ids of keys that only open. */
  fileKeyIds: readonly string[];
  log: Log;
}

/** An id before all others. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Reseals the files of older keys with the first key, one by one; both forms stay readable. When replicas
 * order the keys differently, only the replica whose first key is newer reseals.
 */
export async function resealFiles(dependencies: ResealFiles): Promise<void> {
  const { database, fileBox, fileKeyIds, log } = dependencies;
  if (!fileBox || fileKeyIds.length < 2) return;
  const work = { ...dependencies, fileBox, olderKeyIds: await olderKeys(database, fileKeyIds) };
  let last = await resealNext(work, FIRST);
  if (last !== null) log.info('files re-encrypted with the first key');
  while (last !== null) last = await resealNext(work, last);
}

/**
 * Returns the id of the next file, or null when none is left. An unreadable file stays and blocks no other.
 */
function resealNext(
  { database, fileBox, olderKeyIds, log }: ResealFiles & { fileBox: SecretBox; olderKeyIds: string[] },
  after: string,
): Promise<string | null> {
  return database.transaction(async (tx) => {
    const next = await lockSealedWith(tx, olderKeyIds, after);
    if (!next) return null;
    const bytes = opened(next, fileBox, log);
    if (bytes) await saveSealed(tx, next.id, fileBox.seal(bytes, next.id));
    return next.id;
  });
}

function opened({ id, ...sealed }: StoredFile, fileBox: SecretBox, log: Log): Buffer | null {
  try {
    return fileBox.openBytes(sealed, id);
  } catch (error) {
    log.error({ err: error, fileId: id }, 'file not decrypted and left unchanged');
    return null;
  }
}
