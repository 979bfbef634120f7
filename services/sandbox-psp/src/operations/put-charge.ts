import type { Database } from '@plataforma/data';
import { type Charge, requireOwnKey, revise, type Terms } from '../domain/charge.ts';
import type { Client } from '../domain/client.ts';
import { newLocationToken } from '../domain/location.ts';
import { insertCharge, lockCharge, saveCharge } from '../store/charges.ts';

interface PutCharge {
  client: Client;
  txid: string;
  terms: Terms;
  now: Date;
}

/** Creates the charge with this txid, or revises it to these terms; asked twice, it does it once. */
export async function putCharge(
  database: Database,
  { client, txid, terms, now }: PutCharge,
): Promise<Charge> {
  requireOwnKey(terms.pixKey, client);
  const draft = { clientId: client.id, txid, terms, createdAt: now, locationToken: newLocationToken() };
  const created = await insertCharge(database, draft);
  if (created) return created;

  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, client.id, txid);
    if (!charge) throw new Error('a charge that was there is gone: charges are never deleted');

    const revised = revise(charge, terms);
    if (revised !== charge) await saveCharge(tx, revised);
    return revised;
  });
}
