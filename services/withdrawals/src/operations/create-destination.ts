import type { Database, Transaction } from '@plataforma/data';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import {
  checkedPayee,
  type Destination,
  type DestinationDraft,
  MAX_DESTINATIONS,
  type Payee,
} from '../domain/destination.ts';
import { failPoint } from '../fail-points.ts';
import {
  countDestinations,
  insertDestination,
  labelSameDestination,
  lockDestinations,
} from '../store/destinations.ts';

export interface SavedDestination {
  destination: Destination;
  isNew: boolean;
}

interface CreateDestination {
  database: Database;
  clock: Clock;
  /** Saves the response for repeated requests in the same transaction as the destination. */
  saveResponse: (tx: Transaction, saved: SavedDestination) => Promise<void>;
}

/**
 * Saves a payee. A payee that is already saved only gets the new label, and its cool-down still starts at the
 * first save.
 */
export async function createDestination(
  { database, clock, saveResponse }: CreateDestination,
  { merchantId, environment }: Tenant,
  { label = null, ...payee }: Payee & { label?: string | null | undefined },
): Promise<SavedDestination> {
  const tenant = { merchantId, environment };
  const draft = { ...tenant, ...checkedPayee(payee, environment), label };
  return database.transaction(async (tx) => {
    await lockDestinations(tx, tenant);
    const same = await labelSameDestination(tx, draft);
    const saved = same
      ? { destination: same, isNew: false }
      : await insertOne(tx, draft, await merchantTime(tx, clock, tenant));
    await saveResponse(tx, saved);
    failPoint('destination.stored');
    return saved;
  });
}

async function insertOne(
  tx: Transaction,
  draft: DestinationDraft,
  createdAt: Date,
): Promise<SavedDestination> {
  if ((await countDestinations(tx, draft)) >= MAX_DESTINATIONS) throw tooMany();
  const destination = { ...draft, id: newId(), createdAt };
  await insertDestination(tx, destination);
  return { destination, isNew: true };
}

function tooMany(): Refusal {
  const message = `an account may keep ${MAX_DESTINATIONS} destinations; delete one that is no longer used`;
  return new Refusal('unprocessable', 'DESTINATION_LIMIT_REACHED', message);
}
