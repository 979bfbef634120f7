import type { Queryable, SecretBox } from '@plataforma/data';
import { noSuchFile } from '../domain/evidence-file.ts';
import { sealedFile } from '../store/dispute-files.ts';

export interface OpenFile {
  database: Queryable;
  /** Null where files are not taken. */
  fileBox: SecretBox | null;
}

/** The bytes of a file of the evidence. */
export async function openFile({ database, fileBox }: OpenFile, id: string): Promise<Buffer> {
  const sealed = await sealedFile(database, id);
  if (!sealed) throw noSuchFile();
  if (!fileBox) throw new Error('SEALING_KEYS is not set, and a file is sealed');
  return fileBox.openBytes(sealed, id);
}
