import { readBody } from '@plataforma/http';
import express, { type IRouter } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { answerGnError, answerNothingOfGn } from './gn-errors.ts';
import { defenseFileRoutes, infractionRoutes } from './infraction-routes.ts';
import { payoutRoutes } from './payout-routes.ts';

const BASES = ['/v2/gn', '/v3/gn'];

/**
 * Adds the routes that API Pix does not define, with requests, responses and errors in the format of Efí's
 * API.
 */
export function gnRoutes(app: IRouter, dependencies: SandboxPspDependencies): void {
  const router = express.Router();
  defenseFileRoutes(router, dependencies);
  router.use(BASES, readBody());
  infractionRoutes(router, dependencies);
  payoutRoutes(router, dependencies);
  router.use(BASES, answerNothingOfGn);
  router.use(answerGnError(dependencies.log));
  app.use(router);
}
