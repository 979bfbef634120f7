import type { Database } from '@plataforma/data';
import { chains as chainNames } from '@plataforma/events';
import { type Router, readBody, requireService, type Verifier, validate } from '@plataforma/http';
import { beginChainEpoch, type Chain, findAnchorPage } from '@plataforma/tables';
import { z } from 'zod';

interface ChainRoutes {
  verifier: Verifier;
  database: Database;
  chains: readonly Chain[];
}

const rowNumber = z.coerce.number().int().positive();

const anchorsQuery = z.strictObject({
  service: z.string().min(1),
  chain: z.enum(chainNames),
  epoch: rowNumber,
  after: z
    .string()
    .regex(/^\d{1,15}:.+$/)
    .optional(),
});
const fromQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(50_000),
});
const atQuery = z.strictObject({
  at: z
    .string()
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.int().positive()).max(500)),
});
const epochBody = z.strictObject({ epoch: z.int().positive() });

/**
 * Serves this service's own hash chains to the gateway, and the anchors that this service stores for chains
 * of other services.
 */
export function chainRoutes(router: Router, { verifier, database, chains }: ChainRoutes): void {
  router.get('/internal/chain-anchors', async (req, res) => {
    requireService(req, verifier, 'gateway');
    res.json({ success: true, data: await findAnchorPage(database, validate(anchorsQuery, req.query)) });
  });
  for (const chain of chains) {
    const path = `/internal/chains/${chain.name}`;
    router.get(`${path}/verify`, async (req, res) => {
      requireService(req, verifier, 'gateway');
      res.json({ success: true, data: await chain.verify(database, validate(fromQuery, req.query)) });
    });
    router.get(`${path}/heads`, async (req, res) => {
      requireService(req, verifier, 'gateway');
      const { at } = validate(atQuery, req.query);
      res.json({ success: true, data: await chain.headsAt(database, at) });
    });
    router.post(`${path}/epoch`, readBody(), async (req, res) => {
      requireService(req, verifier, 'gateway');
      const { epoch } = validate(epochBody, req.body ?? {});
      const begun = await beginChainEpoch(database, chain.name, epoch);
      const isBehind = (await chain.isBehind?.(database)) ?? false;
      res.json({ success: true, data: { epoch: begun, isBehind } });
    });
  }
}
