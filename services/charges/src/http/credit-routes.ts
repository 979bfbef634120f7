import { type Router, readBody, requireService, validate } from '@plataforma/http';
import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import type { ChargesDependencies } from '../dependencies.ts';
import { creditKinds, sumCredited } from '../store/credited.ts';

const id = z.uuid().toLowerCase();

const credited = z.strictObject({
  merchantId: id,
  environment: z.enum(environments),
  kind: z.enum(creditKinds),
  references: z.array(id).max(1000),
});

/**
 * Serves the withdrawals service. Before a payout, that service asks whether this service has recorded the
 * money that the ledger credited.
 */
export function creditRoutes(router: Router, { verifier, database }: ChargesDependencies): void {
  router.post('/internal/credits', readBody(), async (req, res) => {
    requireService(req, verifier, 'withdrawals');
    const { merchantId, environment, ...credit } = validate(credited, req.body ?? {});
    res.json({ success: true, data: await sumCredited(database, { merchantId, environment }, credit) });
  });
}
