import type { Transaction } from '@plataforma/data';

interface Completed {
  slug: string;
  /** The number of its event. */
  sequence: number;
}

/** A paid checkout is due until its end is announced, so that a second call finds none. */
const COMPLETE = `
  UPDATE checkouts SET ends_at = NULL, sequence = sequence + 1 FROM payment_links
  WHERE checkouts.id = $1 AND payment_links.id = checkouts.link_id AND use = 'USED' AND ends_at IS NOT NULL
  RETURNING slug, sequence`;

/** Records once that the end of a paid checkout is announced; null: it was before. */
export async function saveCompleted(tx: Transaction, checkoutId: string): Promise<Completed | null> {
  const [row] = await tx.query<Completed & { [column: string]: unknown }>(COMPLETE, [checkoutId]);
  return row ?? null;
}
