import type { Queryable } from '@plataforma/data';
import { deleteUntouched } from '../store/checkouts.ts';

const DAY_MS = 86_400_000;
/** So that a stop waits for little. */
const CHUNKS_AT_A_TIME = 50;

/**
 * Deletes visits, with the names and documents in them, that were begun so many days ago and came to nothing: they have
 * no charge, of whatever end, and no use of their link. Any number of replicas may do this at a time.
 */
export async function forgetVisits(db: Queryable, days: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  for (let done = 0; done < CHUNKS_AT_A_TIME; done += 1) if (!(await deleteUntouched(db, before))) return;
}
