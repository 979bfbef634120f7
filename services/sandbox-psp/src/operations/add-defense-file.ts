import type { Database } from '@plataforma/data';
import { GnProblem } from '../domain/gn-problem.ts';
import { addFile, type DefenseFile } from '../domain/infraction.ts';
import { defenseFilesOf, insertDefenseFile, lockInfraction } from '../store/infractions.ts';

/**
 * Stores an evidence file before the receiver sends its defense. A repeated request with the same file
 * returns the stored file.
 */
export async function addDefenseFile(
  database: Database,
  { clientId, id, file, now }: { clientId: string; id: string; file: DefenseFile; now: Date },
): Promise<DefenseFile> {
  return database.transaction(async (tx) => {
    const infraction = await lockInfraction(tx, clientId, id);
    if (!infraction) throw new GnProblem('infracao_nao_encontrada', 'Não há infração com este id.');

    const existing = (await defenseFilesOf(tx, id)).find((one) => one.id === file.id);
    const added = addFile(infraction, { file, existing: existing, now });
    if (!existing) await insertDefenseFile(tx, id, added);
    return added;
  });
}
