import type { Database } from '@plataforma/data';
import type { Remembering } from '@plataforma/http';
import type { Charge } from '../domain/charge.ts';
import { insertCharge, type Planned } from '../store/new-charges.ts';

/** A charge that was asked for. */
export interface Created {
  charge: Charge;
  /** False: this externalId had it already. */
  isNew: boolean;
}

/**
 * False: this externalId has its charge already, or had an attempt with this token, or another caller is writing it
 * down at this moment, or a stop holds new charges, or the merchant has changed since it was recalled.
 */
export function writeDown(
  database: Database,
  planned: Planned,
  remembering: Remembering<Created>,
): Promise<boolean> {
  if (!remembering.isKeyed) return insertCharge(database, planned);
  return database.transaction(async (tx) => {
    const isNew = await insertCharge(tx, planned);
    if (isNew) await remembering.begin(tx, planned.charge.id);
    return isNew;
  });
}
