import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import type { Client } from '../domain/client.ts';
import { GnProblem } from '../domain/gn-problem.ts';
import { delayOf, isRegisteredKey, newPayout, type Payout } from '../domain/payout.ts';
import { insertPayout, lockPayoutId, takeOrderedEnd } from '../store/payouts.ts';

interface CreatePayout {
  client: Client;
  id: string;
  amount: Cents;
  payerKey: string;
  payeeKey: string;
  note: string | null;
  now: Date;
}

/**
 * Begins a payout from the client's key to the payee's key. Throws `id_envio_duplicado` if the client has
 * used the id before, even if all other fields are equal.
 */
export async function createPayout(database: Database, order: CreatePayout): Promise<Payout> {
  const { client, now: requestedAt, ...fields } = order;
  if (fields.payerKey !== client.pixKey) {
    throw new GnProblem('chave_invalida', 'A chave do pagador não pertence a esta conta.');
  }
  if (!isRegisteredKey(fields.payeeKey)) {
    throw new GnProblem('chave_invalida', 'A chave do favorecido não existe.');
  }
  return database.transaction(async (tx) => {
    await lockPayoutId(tx, fields.id);
    const orderedEnd = await takeOrderedEnd(tx, fields.id);
    const payout = newPayout({ clientId: client.id, ...fields, orderedEnd, requestedAt });
    const isNew = await insertPayout(tx, payout, delayOf(payout));
    if (!isNew) throw duplicateId();
    return payout;
  });
}

export function duplicateId(): GnProblem {
  return new GnProblem('id_envio_duplicado', 'O id de envio já foi usado por outro pagamento.');
}
