import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { payoutWeathers, weathers } from '../domain/weather.ts';
import { changeWeather, findWeather } from '../store/weather.ts';

const PATH = '/control/weather/:merchantId';

const change = z.strictObject({
  pix: z.enum(weathers).optional(),
  card: z.enum(weathers).optional(),
  payout: z.enum(payoutWeathers).optional(),
});

/** How the providers behave towards a merchant of the platform. */
export function weatherRoutes(router: IRouter, database: Database): void {
  router.post(PATH, async (req, res) => {
    res.json(await changeWeather(database, knownId(req.params.merchantId), validate(change, req.body ?? {})));
  });
  router.get(PATH, async (req, res) => {
    res.json(await findWeather(database, knownId(req.params.merchantId)));
  });
}

function knownId(id: string): string {
  if (isUuid(id)) return id;
  throw new Refusal('missing', 'NOT_FOUND', 'no merchant can have this id');
}
