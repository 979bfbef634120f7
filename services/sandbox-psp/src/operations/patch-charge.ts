import type { Database } from '@plataforma/data';
import { type Charge, type ChargeRequest, remove, requireOwnKey, revise } from '../domain/charge.ts';
import type { Client } from '../domain/client.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';

export type ChargePatch = { isRemoval: true } | { isRemoval: false; changes: Partial<ChargeRequest> };

interface PatchCharge {
  client: Client;
  txid: string;
  patch: ChargePatch;
}

export async function patchCharge(database: Database, { client, txid, patch }: PatchCharge): Promise<Charge> {
  if (!patch.isRemoval && patch.changes.pixKey !== undefined) requireOwnKey(patch.changes.pixKey, client);

  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, client.id, txid);
    if (!charge) throw new PixProblem('CobNaoEncontrado');

    const patched = patch.isRemoval ? remove(charge) : revise(charge, patch.changes);
    if (patched !== charge) await saveCharge(tx, patched);
    return patched;
  });
}
