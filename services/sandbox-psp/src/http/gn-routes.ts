import { readBody } from '@plataforma/http';
import express, { type IRouter } from 'express';
import type { SandboxPspParts } from '../parts.ts';
import { answerGnError, answerNothingOfGn } from './gn-errors.ts';
import { defenseFileRoutes, infractionRoutes } from './infraction-routes.ts';
import { payoutRoutes } from './payout-routes.ts';

const BASES = ['/v2/gn', '/v3/gn'];

/** What API Pix does not cover, in the shape and with the errors of Efí's API. */
export function gnRoutes(app: IRouter, parts: SandboxPspParts): void {
  const router = express.Router();
  defenseFileRoutes(router, parts);
  router.use(BASES, readBody());
  infractionRoutes(router, parts);
  payoutRoutes(router, parts);
  router.use(BASES, answerNothingOfGn);
  router.use(answerGnError(parts.log));
  app.use(router);
}
