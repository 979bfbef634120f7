import { api, type DestinationView } from '@plataforma/contracts';
import { pageOf, type Router, serve, serveIdempotent } from '@plataforma/http';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { type Destination, noSuchDestination } from '../domain/destination.ts';
import { warningOfPayee } from '../domain/sandbox-warnings.ts';
import { createDestination, type SavedDestination } from '../operations/create-destination.ts';
import { findDestination, listDestinations, markDestinationDeleted } from '../store/destinations.ts';

export function destinationRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, database, clock } = dependencies;

  serveIdempotent(router, api.createDestination, {
    verifier,
    database,
    warn: ({ body }, { environment }) => warningOfPayee(body, environment),
    work: ({ body }, merchant, { saveResponse }) =>
      createDestination({ ...dependencies, saveResponse }, merchant, body),
    show: savedAnswer,
  });
  serve(router, api.listDestinations, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listDestinations(database, merchant, query), query, destinationView),
  });
  serve(router, api.getDestination, {
    verifier,
    answer: async ({ params }, merchant) => {
      const destination = await findDestination(database, merchant, params.id);
      if (!destination) throw noSuchDestination();
      return { data: destinationView(destination) };
    },
  });
  serve(router, api.deleteDestination, {
    verifier,
    answer: async ({ params }, merchant) => {
      const deleted = { id: params.id, at: clock() };
      if (!(await markDestinationDeleted(database, merchant, deleted))) throw noSuchDestination();
      return { data: { message: 'the destination is deleted' } };
    },
  });
}

function savedAnswer({ destination, isNew }: SavedDestination) {
  return { data: destinationView(destination), status: isNew ? 201 : 200 };
}

function destinationView(destination: Destination): DestinationView {
  const { id, merchantId: _merchant, environment: _environment, label, createdAt, ...payee } = destination;
  return { id, ...payee, label, createdAt: createdAt.toISOString() };
}
