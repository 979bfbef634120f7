import { api, type DestinationView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageOf, type Router, remembering, serve, serveOnce, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { type Destination, noSuchDestination } from '../domain/destination.ts';
import { warningOfTarget } from '../domain/sandbox-warnings.ts';
import { createDestination, type Kept } from '../operations/create-destination.ts';
import { deleteDestination } from '../operations/delete-destination.ts';
import { findDestination, listDestinations } from '../store/destinations.ts';

interface DestinationRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
}

export function destinationRoutes(router: Router, parts: DestinationRoutes): void {
  const { verifier, database } = parts;

  serveOnce(router, api.createDestination, {
    verifier,
    database,
    warn: ({ body }, { environment }) => warningOfTarget(body, environment),
    answer: async ({ body }, merchant, once) => {
      const { keep } = remembering(once, keptAnswer);
      return keptAnswer(await createDestination({ ...parts, keep }, merchant, body));
    },
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
      await deleteDestination(parts, merchant, params.id);
      return { data: { message: 'the destination is deleted' } };
    },
  });
}

function keptAnswer({ destination, isNew }: Kept) {
  return { data: destinationView(destination), status: isNew ? 201 : 200 };
}

function destinationView(destination: Destination): DestinationView {
  const { id, merchantId: _merchant, environment: _environment, label, createdAt, ...target } = destination;
  return { id, ...target, label, createdAt: createdAt.toISOString() };
}
