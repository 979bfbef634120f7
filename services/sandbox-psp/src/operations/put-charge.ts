import type { Database } from '@plataforma/data';
import { type Charge, type ChargeRequest, requireOwnKey, revise } from '../domain/charge.ts';
import type { Client } from '../domain/client.ts';
import { newLocationToken } from '../domain/location.ts';
import { insertCharge, lockCharge, saveCharge } from '../store/charges.ts';

/**
 * Creates the charge with this txid, or changes the existing charge to match the request. A repeated request
 * changes nothing.
 */
export async function putCharge(
  database: Database,
  { client, txid, request, now }: { client: Client; txid: string; request: ChargeRequest; now: Date },
): Promise<Charge> {
  requireOwnKey(request.pixKey, client);
  const draft = { clientId: client.id, txid, request, createdAt: now, locationToken: newLocationToken() };
  const created = await insertCharge(database, draft);
  if (created) return created;

  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, client.id, txid);
    if (!charge) throw new Error('a stored charge is missing: charges are never deleted');

    const revised = revise(charge, request);
    if (revised !== charge) await saveCharge(tx, revised);
    return revised;
  });
}
