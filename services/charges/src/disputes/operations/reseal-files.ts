import { type Database, olderKeys, type SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { lockSealedWith, type StoredFile, saveSealed } from '../store/dispute-files.ts';

interface ResealFiles {
  database: Database;
  fileBox: SecretBox | null;
  /** The id of the key that encrypts new files, followed by the ids of older keys that only decrypt. */
  fileKeyIds: readonly string[];
  log: Log;
}

/** An id that is lower than every other id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts files again with the first key. Leaves a file unchanged if its key came into use after the first
 * key. Replicas with different orders of keys therefore do not undo each other's work.
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
 * Encrypts the next file again and returns its id, or null when no file is left. An unreadable file stays
 * unchanged and blocks no other file.
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
