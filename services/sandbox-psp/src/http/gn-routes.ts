import type { Database } from '@plataforma/data';
import { readBody } from '@plataforma/http';
import type { Log } from '@plataforma/observe';
import express, { type IRouter } from 'express';
import type { Clients } from '../domain/client.ts';
import { answerGnError, answerNothingOfGn } from './gn-errors.ts';
import { defenseFileRoutes, infractionRoutes } from './infraction-routes.ts';
import { payoutRoutes } from './payout-routes.ts';

interface GnDoor {
  database: Database;
  clients: Clients;
  log: Log;
}

const BASES = ['/v2/gn', '/v3/gn'];

/** What API Pix does not cover, in the shape and with the errors of Efí's API. */
export function gnRoutes(app: IRouter, door: GnDoor): void {
  const router = express.Router();
  defenseFileRoutes(router, door);
  router.use(BASES, readBody());
  infractionRoutes(router, door);
  payoutRoutes(router, door);
  router.use(BASES, answerNothingOfGn);
  router.use(answerGnError(door.log));
  app.use(router);
}
