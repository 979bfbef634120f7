import type { Queryable, SecretBox } from '@plataforma/data';
import { noSuchFile } from '../domain/evidence-file.ts';
import { sealedFile } from '../store/dispute-files.ts';

export interface OpenFile {
  database: Queryable;
  /** Null where files are not taken. */
  fileBox: SecretBox | null;
}

/** What opens it is not configured, or it is not what was sealed. */
export class FileNotOpened extends Error {
  constructor(id: string, cause: unknown) {
    super(`no key opens the file ${id}`, { cause });
    this.name = 'FileNotOpened';
  }
}

/** The bytes of a file of the evidence. */
export async function openFile({ database, fileBox }: OpenFile, id: string): Promise<Buffer> {
  const sealed = await sealedFile(database, id);
  if (!sealed) throw noSuchFile();
  if (!fileBox) throw new FileNotOpened(id, new Error('SEALING_KEYS is not set'));
  try {
    return fileBox.openBytes(sealed, id);
  } catch (error) {
    throw new FileNotOpened(id, error);
  }
}
