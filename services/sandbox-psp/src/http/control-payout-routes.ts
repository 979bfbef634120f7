import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { isPayoutId, orderedEnds } from '../domain/payout.ts';
import { endPayoutAs } from '../operations/end-payout.ts';

const endBody = z.strictObject({ end: z.enum(orderedEnds) });

/** The payee's bank; a payout is named by its `idEnvio`, and may be still to come. */
export function controlPayoutRoutes(router: IRouter, database: Database): void {
  router.post('/control/payouts/:idEnvio/end', async (req, res) => {
    const { end } = validate(endBody, req.body ?? {});
    const { idEnvio } = req.params;
    if (!isPayoutId(idEnvio)) throw new Refusal('missing', 'NOT_FOUND', 'no payout can have this id');
    await endPayoutAs(database, idEnvio, end);
    res.json({ idEnvio, end });
  });
}
