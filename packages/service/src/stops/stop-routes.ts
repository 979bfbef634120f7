import { api, serviceOfStop, stopPartQuery } from '@plataforma/contracts';
import { requireService, serveOperator, type Verifier, validate } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { readStops, stopView } from '@plataforma/tables';
import type { IRouter } from 'express';
import { beginStop, type StopDependencies, startStop } from './change-stops.ts';

/**
 * Serves the operators' stops of orders. The gateway forwards these requests to the service that sends the
 * orders.
 */
export function stopRoutes(router: IRouter, dependencies: StopDependencies & { verifier: Verifier }): void {
  const { verifier, database, orders } = dependencies;
  router.get('/internal/stops', async (req, res) => {
    requireService(req, verifier, 'gateway');
    const { stops, total } = await readStops(database, validate(stopPartQuery, req.query));
    res.json({ success: true, data: { total, items: stops.map(stopView) } });
  });
  serveOperator(router, api.createStop, {
    verifier,
    answer: async ({ body }, { operatorId }) => {
      const { what } = body;
      if (!orders.some((one) => one.what === what)) {
        const message = `what: ${what} are stopped at ${serviceOfStop(what)}`;
        throw new Refusal('invalid', 'VALIDATION_ERROR', message);
      }
      const { stop, isNew } = await beginStop(database, body, operatorId);
      return { data: stopView(stop), status: isNew ? 201 : 200 };
    },
  });
  serveOperator(router, api.startStop, {
    verifier,
    answer: async ({ params: { id } }, { operatorId }) => {
      const stop = await startStop(dependencies, { id, operatorId });
      return { data: stopView(stop), status: stop.end ? 200 : 202 };
    },
  });
}
