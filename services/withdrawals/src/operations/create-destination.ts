import type { Database } from '@plataforma/chassis';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { checkedTarget, type Destination, MAX_DESTINATIONS, type Target } from '../domain/destination.ts';
import {
  countDestinations,
  insertDestination,
  labelSameDestination,
  lockDestinations,
} from '../store/destinations.ts';

interface CreateDestination {
  database: Database;
  clock: Clock;
}

/**
 * Keeps where money may go. What is kept already is the answer, under the label given now: its age, on which rules
 * of withdrawals depend, is that of the first time.
 */
export async function createDestination(
  { database, clock }: CreateDestination,
  { merchantId, environment }: Tenant,
  { label = null, ...order }: Target & { label?: string | undefined | null },
): Promise<{ destination: Destination; isNew: boolean }> {
  const target = checkedTarget(order, environment);
  const tenant = { merchantId, environment };
  return database.transaction(async (tx) => {
    await lockDestinations(tx, tenant);
    const same = await labelSameDestination(tx, { ...tenant, ...target, label });
    if (same) return { destination: same, isNew: false };
    if ((await countDestinations(tx, tenant)) >= MAX_DESTINATIONS) throw tooMany();
    const destination = { id: newId(), ...tenant, ...target, label, createdAt: clock() };
    await insertDestination(tx, destination);
    return { destination, isNew: true };
  });
}

function tooMany(): Refusal {
  const message = `an account may keep ${MAX_DESTINATIONS} destinations; delete one that is no longer used`;
  return new Refusal('unprocessable', 'DESTINATION_LIMIT_REACHED', message);
}
