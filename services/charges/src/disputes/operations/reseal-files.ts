import { type Database, olderKeys, type SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { lockSealedWith, type StoredFile, saveSealed } from '../store/dispute-files.ts';

interface ResealFiles {
  database: Database;
  fileBox: SecretBox | null;
  /** The one that seals, and those that only open. */
  fileKeyIds: readonly string[];
  log: Log;
}

/** Before every id there is. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Seals with the first key what an older one has sealed, file by file; whoever reads meanwhile opens either form. Where
 * two replicas have two orders of the keys, the one whose first key began to seal later does it, and the other nothing.
 */
export async function resealFiles(dependencies: ResealFiles): Promise<void> {
  const { database, fileBox, fileKeyIds, log } = dependencies;
  if (!fileBox || fileKeyIds.length < 2) return;
  const work = { ...dependencies, fileBox, olderKeyIds: await olderKeys(database, fileKeyIds) };
  let last = await resealNext(work, FIRST);
  if (last !== null) log.info('files are sealed anew with the first key');
  while (last !== null) last = await resealNext(work, last);
}

/** Returns the id of the next file; null: none is left. An unreadable file stays, and blocks no other. */
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
    log.error({ err: error, fileId: id }, 'a file can’t be opened, and stays as it is');
    return null;
  }
}
