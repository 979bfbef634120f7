import type { Queryable } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteUntouched } from '../store/checkouts.ts';

/** A run deletes at most this many chunks, so that the service can stop soon. */
const CHUNKS_AT_A_TIME = 50;

/**
 * Deletes visits, including names and documents, that are older than `days` and have neither a charge nor a
 * use of their link. Several replicas may delete visits at the same time.
 */
export async function forgetVisits(db: Queryable, days: number, now: Date): Promise<void> {
  const before = daysBefore(now, days);
  for (let done = 0; done < CHUNKS_AT_A_TIME; done += 1) if (!(await deleteUntouched(db, before))) return;
}
