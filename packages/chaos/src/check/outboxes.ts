import { type Databases, rowsOf } from './evidence.ts';

/** An event as its emitter wrote it down. */
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

const OUTBOX = `
  SELECT event_id AS id, type, published_at IS NOT NULL AS is_published, event ->> 'aggregateId' AS aggregate,
    (event ->> 'sequence')::int AS sequence, event ->> 'merchantId' AS merchant, event ->> 'environment' AS environment,
    event ->> 'occurredAt' AS occurred_at, event -> 'data' AS data
  FROM outbox, LATERAL (SELECT body::jsonb AS event) AS parsed ORDER BY position`;

/** All that was announced, by every service that announces. */
export async function readAnnounced({
  gateway,
  charges,
  withdrawals,
}: Pick<Databases, 'gateway' | 'charges' | 'withdrawals'>): Promise<Announced[]> {
  return [
    ...(await rowsOf<Announced>(gateway, OUTBOX)),
    ...(await rowsOf<Announced>(charges, OUTBOX)),
    ...(await rowsOf<Announced>(withdrawals, OUTBOX)),
  ];
}
