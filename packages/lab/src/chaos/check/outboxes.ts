import { producers } from '@plataforma/events';
import { type Databases, rowsOf } from './evidence.ts';

export type Announced = {
  id: string;
  type: string;
  aggregate: string;
  sequence: number;
  merchant: string;
  environment: string | null;
  occurred_at: string;
  data: unknown;
  is_published: boolean;
};

const outbox = (which: string) => `
  SELECT event_id AS id, type, published_at IS NOT NULL AS is_published, event ->> 'aggregateId' AS aggregate,
    (event ->> 'sequence')::int AS sequence, event ->> 'merchantId' AS merchant,
    event ->> 'environment' AS environment,
    event ->> 'occurredAt' AS occurred_at, event -> 'data' AS data
  FROM outbox, LATERAL (SELECT body::jsonb AS event) AS parsed WHERE ${which} ORDER BY position`;
const OUTBOX = outbox("type NOT LIKE 'chain.anchored.%'");
const HEADS = outbox("type LIKE 'chain.anchored.%'");

export async function readAnnounced({
  gateway,
  charges,
  withdrawals,
  ledger,
}: Pick<Databases, 'gateway' | 'charges' | 'withdrawals' | 'ledger'>): Promise<Announced[]> {
  return [
    ...(await rowsOf<Announced>(gateway, OUTBOX)),
    ...(await rowsOf<Announced>(charges, OUTBOX)),
    ...(await rowsOf<Announced>(withdrawals, OUTBOX)),
    ...(await rowsOf<Announced>(ledger, OUTBOX)),
  ];
}

/** Reads the events in which the services have published the newest hashes of their hash chains. */
export async function readHeads(databases: Databases): Promise<Announced[]> {
  const found: Announced[] = [];
  for (const service of producers) found.push(...(await rowsOf<Announced>(databases[service], HEADS)));
  return found;
}
