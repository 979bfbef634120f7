import type { Database } from '@plataforma/data';
import { GnProblem } from '../domain/gn-problem.ts';
import { defend, type Infraction } from '../domain/infraction.ts';
import { lockInfraction, saveDefense } from '../store/infractions.ts';

interface DefendInfraction {
  clientId: string;
  id: string;
  description: string;
  documents: readonly string[];
  now: Date;
}

/** Keeps what the receiver has to say of an infraction; sent again, the first defense stands. */
export async function defendInfraction(database: Database, order: DefendInfraction): Promise<Infraction> {
  return database.transaction(async (tx) => {
    const infraction = await lockInfraction(tx, order.clientId, order.id);
    if (!infraction) throw new GnProblem('infracao_nao_encontrada', 'Não há infração com este id.');

    const defended = defend(infraction, order);
    if (defended !== infraction) await saveDefense(tx, defended);
    return defended;
  });
}
