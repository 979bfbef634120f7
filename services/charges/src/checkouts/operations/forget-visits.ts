import type { Queryable } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteUntouched } from '../store/checkouts.ts';

/** So that a stop waits for little. */
const CHUNKS_AT_A_TIME = 50;

/**
 * Deletes visits, with the names and documents in them, that were begun so many days ago and came to nothing: they have
 * no charge, of whatever end, and no use of their link. Any number of replicas may do this at a time.
 */
export async function forgetVisits(db: Queryable, days: number, now: Date): Promise<void> {
  const before = daysBefore(now, days);
  for (let done = 0; done < CHUNKS_AT_A_TIME; done += 1) if (!(await deleteUntouched(db, before))) return;
}
