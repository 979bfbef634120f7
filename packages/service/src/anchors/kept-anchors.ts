import type { Queryable } from '@plataforma/data';
import { z } from 'zod';

const kept = z.object({ sequence: z.int(), hash: z.string(), at: z.iso.datetime() });

/** What a service has kept of a chain of another one, in the order of places; `next`: where there is more. */
export const keptAnchors = z.object({ anchors: z.array(kept), next: z.int().nullable() });

export type KeptAnchors = z.infer<typeof keptAnchors>;

export interface WantedAnchors {
  service: string;
  chain: string;
  epoch: number;
  after: number;
}

const MOST = 2_000;

const FIND = `
  SELECT sequence, hash, at FROM chain_anchors
  WHERE service = $1 AND chain = $2 AND epoch = $3 AND sequence > $4 ORDER BY sequence, hash LIMIT ${MOST}`;

export async function findKeptAnchors(
  db: Queryable,
  { service, chain, epoch, after }: WantedAnchors,
): Promise<KeptAnchors> {
  type Row = { sequence: number; hash: string; at: Date };
  const rows = await db.query<Row>(FIND, [service, chain, epoch, after]);
  const anchors = rows.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() }));
  return { anchors, next: anchors.length === MOST ? (anchors.at(-1)?.sequence ?? null) : null };
}
