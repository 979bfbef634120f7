import { type Database, pageMeta, type Router, serve, type Verifier } from '@plataforma/chassis';
import { api, type DestinationView } from '@plataforma/contracts';
import type { Clock } from '@plataforma/kernel';
import { type Destination, noSuchDestination } from '../domain/destination.ts';
import { createDestination } from '../operations/create-destination.ts';
import { deleteDestination } from '../operations/delete-destination.ts';
import { countDestinations, findDestination, listDestinations } from '../store/destinations.ts';

interface DestinationRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
}

export function destinationRoutes(router: Router, parts: DestinationRoutes): void {
  const { verifier, database } = parts;

  serve(router, api.createDestination, {
    verifier,
    answer: async ({ body }, merchant) => {
      const { destination, isNew } = await createDestination(parts, merchant, body);
      return { data: destinationView(destination), status: isNew ? 201 : 200 };
    },
  });
  serve(router, api.listDestinations, {
    verifier,
    answer: async ({ query }, merchant) => {
      const [destinations, total] = await Promise.all([
        listDestinations(database, merchant, query),
        countDestinations(database, merchant),
      ]);
      return { data: destinations.map(destinationView), meta: pageMeta(total, query) };
    },
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

function destinationView(destination: Destination): DestinationView {
  const { merchantId: _merchant, environment: _environment, createdAt, ...shown } = destination;
  return { ...shown, createdAt: createdAt.toISOString() };
}
