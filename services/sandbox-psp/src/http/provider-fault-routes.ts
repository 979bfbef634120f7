import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { payoutStates, providerStates } from '../domain/provider-faults.ts';
import { changeProviderFaults, findProviderFaults } from '../store/provider-faults.ts';

const PATH = '/control/weather/:merchantId';

const change = z.strictObject({
  pix: z.enum(providerStates).optional(),
  card: z.enum(providerStates).optional(),
  payout: z.enum(payoutStates).optional(),
});

export function providerFaultRoutes(router: IRouter, database: Database): void {
  router.post(PATH, async (req, res) => {
    res.json(
      await changeProviderFaults(
        database,
        requireId(req.params.merchantId),
        validate(change, req.body ?? {}),
      ),
    );
  });
  router.get(PATH, async (req, res) => {
    res.json(await findProviderFaults(database, requireId(req.params.merchantId)));
  });
}

function requireId(id: string): string {
  if (isUuid(id)) return id;
  throw new Refusal('missing', 'NOT_FOUND', 'no merchant can have this id');
}
