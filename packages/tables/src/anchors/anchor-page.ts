import type { Queryable } from '@plataforma/data';
import { z } from 'zod';

const storedAnchor = z.object({ sequence: z.int(), hash: z.string(), at: z.iso.datetime() });

/**
 * The anchors that a service stores for a hash chain of another service, ordered by their places in the
 * chain. `next` is the cursor of the next page.
 */
export const anchorPage = z.object({ anchors: z.array(storedAnchor), next: z.string().nullable() });

export type AnchorPage = z.infer<typeof anchorPage>;

export interface AnchorQuery {
  service: string;
  chain: string;
  epoch: number;
  /** The place and the hash of the last anchor on the previous page, as `place:hash`. */
  after?: string | undefined;
}

const MOST = 2_000;

const FIND = `
  SELECT sequence, hash, at FROM chain_anchors
  WHERE service = $1 AND chain = $2 AND epoch = $3 AND (sequence, hash) > ($4, $5) ORDER BY sequence, hash
  LIMIT ${MOST}`;

export async function findAnchorPage(
  db: Queryable,
  { service, chain, epoch, after }: AnchorQuery,
): Promise<AnchorPage> {
  type Row = { sequence: number; hash: string; at: Date };
  const [, sequence = 0, hash = ''] = /^(\d+):(.*)$/.exec(after ?? '') ?? [];
  const rows = await db.query<Row>(FIND, [service, chain, epoch, sequence, hash]);
  const anchors = rows.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() }));
  const last = anchors.length === MOST ? anchors.at(-1) : undefined;
  return { anchors, next: last ? `${last.sequence}:${last.hash}` : null };
}
