import type { Database } from '@plataforma/data';
import { GnProblem } from '../domain/gn-problem.ts';
import { defend, type Infraction, type Words } from '../domain/infraction.ts';
import { defenseFilesOf, lockInfraction, saveInfraction } from '../store/infractions.ts';

interface DefendInfraction extends Words {
  clientId: string;
  id: string;
  now: Date;
}

/**
 * Records the receiver's defense. If a defense is recorded already, a repeated request does not change it.
 */
export async function defendInfraction(
  database: Database,
  { clientId, id, ...words }: DefendInfraction,
): Promise<Infraction> {
  return database.transaction(async (tx) => {
    const infraction = await lockInfraction(tx, clientId, id);
    if (!infraction) throw new GnProblem('infracao_nao_encontrada', 'Não há infração com este id.');

    const defended = defend(infraction, { ...words, files: await defenseFilesOf(tx, id) });
    if (defended !== infraction) await saveInfraction(tx, defended);
    return defended;
  });
}
