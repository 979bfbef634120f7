import type { Database } from '@plataforma/data';
import type { Clock, Tenant } from '@plataforma/kernel';
import { noSuchDestination } from '../domain/destination.ts';
import { markDestinationDeleted } from '../store/destinations.ts';

interface DeleteDestination {
  database: Database;
  clock: Clock;
}

/** Hides it from its merchant. Withdrawals that were ordered to it keep it. */
export async function deleteDestination(
  { database, clock }: DeleteDestination,
  tenant: Tenant,
  id: string,
): Promise<void> {
  if (!(await markDestinationDeleted(database, tenant, { id, at: clock() }))) throw noSuchDestination();
}
