import type { Database, SecretBox } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { lockSealedWith, type StoredFile, saveSealed } from '../store/dispute-files.ts';

export interface ResealFiles {
  database: Database;
  fileBox: SecretBox | null;
  /** Of the keys that only open. */
  olderKeyIds: readonly string[];
  log: Log;
}

/** Before every id there is. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Seals with the first key what an older one has sealed, file by file; whoever reads meanwhile opens either form. */
export async function resealFiles(parts: ResealFiles): Promise<void> {
  const { fileBox, olderKeyIds, log } = parts;
  if (!fileBox || olderKeyIds.length === 0) return;
  let last = await resealNext(parts, fileBox, FIRST);
  if (last !== null) log.info('files are sealed anew with the first key');
  while (last !== null) last = await resealNext(parts, fileBox, last);
}

/** Which one it was; null: none is left. One that can't be opened stays as it is, and keeps no other. */
function resealNext(
  { database, olderKeyIds, log }: ResealFiles,
  fileBox: SecretBox,
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
