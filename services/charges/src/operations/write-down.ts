import type { Database, Remembering } from '@plataforma/chassis';
import type { Charge } from '../domain/charge.ts';
import { insertCharge } from '../store/charges.ts';

/** A charge that was asked for. */
export interface Created {
  charge: Charge;
  /** False: this externalId had it already. */
  isNew: boolean;
}

interface Plan {
  planned: Charge;
  nextCheckAt: Date;
}

/** False: this externalId has its charge already, or another caller is writing it down at this moment. */
export function writeDown(
  database: Database,
  { planned, nextCheckAt }: Plan,
  remembering: Remembering<Created>,
): Promise<boolean> {
  if (!remembering.isKeyed) return insertCharge(database, planned, nextCheckAt);
  return database.transaction(async (tx) => {
    const isNew = await insertCharge(tx, planned, nextCheckAt);
    if (isNew) await remembering.begin(tx, planned.id);
    return isNew;
  });
}
