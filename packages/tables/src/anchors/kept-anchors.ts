import type { Queryable } from '@plataforma/data';
import { z } from 'zod';

const kept = z.object({ sequence: z.int(), hash: z.string(), at: z.iso.datetime() });

/** The anchors that a service stores of another's chain, by place; `next`: the cursor of the next page. */
export const keptAnchors = z.object({ anchors: z.array(kept), next: z.string().nullable() });

export type KeptAnchors = z.infer<typeof keptAnchors>;

export interface WantedAnchors {
  service: string;
  chain: string;
  epoch: number;
  /** The place and the hash that an answer has ended with. */
  after?: string | undefined;
}

const MOST = 2_000;

const FIND = `
  SELECT sequence, hash, at FROM chain_anchors
  WHERE service = $1 AND chain = $2 AND epoch = $3 AND (sequence, hash) > ($4, $5) ORDER BY sequence, hash LIMIT ${MOST}`;

export async function findKeptAnchors(
  db: Queryable,
  { service, chain, epoch, after }: WantedAnchors,
): Promise<KeptAnchors> {
  type Row = { sequence: number; hash: string; at: Date };
  const [, place = 0, hash = ''] = /^(\d+):(.*)$/.exec(after ?? '') ?? [];
  const rows = await db.query<Row>(FIND, [service, chain, epoch, place, hash]);
  const anchors = rows.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() }));
  const last = anchors.length === MOST ? anchors.at(-1) : undefined;
  return { anchors, next: last ? `${last.sequence}:${last.hash}` : null };
}
