import {
  api,
  type StopPartQuery,
  type StopService,
  serviceOfStop,
  stopPart,
  stopServices,
} from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { openTo, pageOf, type Router } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import type { GatewayDependencies } from '../dependencies.ts';
import { newestOfAll, silent } from '../operations/newest-of-all.ts';
import { findOrganization } from '../store/organizations.ts';
import type { OperatorClaims } from '../tokens.ts';
import { queryOf } from './ask-service.ts';
import { identityOf } from './operator-check.ts';
import { serveOperator } from './serve.ts';

/**
 * Forwards a new stop to the service that sends the stopped orders. Merges the lists of stops of charges and
 * withdrawals.
 */
export function stopRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, authenticate, forward } = dependencies;
  const pass = (service: StopService, operator: OperatorClaims, { req, res, body }: Passed) =>
    forward(req, res, { service, caller: identityOf(operator), body, mode: 'buffer' });

  openTo(router, api.createStop, {
    authenticate: (req) => authenticate.operator(req, api.createStop),
    async respond({ body: stop }, operator, http) {
      if (stop.merchantId !== undefined) await requireMerchant(database, stop.merchantId);
      const body = Buffer.from(JSON.stringify(stop));
      await pass(serviceOfStop(stop.what), operator, { ...http, body });
    },
  });
  openTo(router, api.startStop, {
    authenticate: (req) => authenticate.operator(req, api.startStop),
    async respond({ params }, operator, http) {
      await pass(await keeperOf(dependencies, params.id), operator, { ...http, body: null });
    },
  });
  serveOperator(router, api.listStops, dependencies, async ({ query }) => {
    const { page: _page, limit: _limit, ...filters } = query;
    const lists = {
      services: stopServices,
      ask: (service: StopService, newest: number) => askStops(dependencies, service, { ...filters, newest }),
      orderOf: ({ stoppedAt, id }: { stoppedAt: string; id: string }) => ({ at: stoppedAt, id }),
    };
    return pageOf(await newestOfAll(lists, query), query, (stop) => stop);
  });
}

interface Passed {
  req: Request;
  res: Response;
  body: Buffer | null;
}

function askStops({ askService }: GatewayDependencies, service: StopService, query: StopPartQuery) {
  return askService(service, { path: `/internal/stops?${queryOf(query)}`, answer: stopPart });
}

/** Throws NOT_FOUND for an unknown merchant, because a stop with a mistyped id would seem to work. */
async function requireMerchant(database: Database, id: string): Promise<void> {
  if (await findOrganization(database, id)) return;
  throw new Refusal('missing', 'NOT_FOUND', 'merchantId: there is no merchant with this id');
}

/**
 * Returns the service that stores the stop. Throws SERVICE_UNAVAILABLE if the stop is not found and a service
 * did not answer.
 */
async function keeperOf(dependencies: GatewayDependencies, id: string): Promise<StopService> {
  const answers = await Promise.all(
    stopServices.map(async (service) => ({
      service,
      part: await askStops(dependencies, service, { id, newest: 1 }),
    })),
  );
  const keeper = answers.find(({ part }) => part !== null && part.total > 0);
  if (keeper) return keeper.service;
  const unanswered = answers.find(({ part }) => part === null);
  if (unanswered) return silent(unanswered.service);
  throw new Refusal('missing', 'NOT_FOUND', 'there is no stop with this id');
}
