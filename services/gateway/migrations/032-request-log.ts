import { type Migration, type Partitions, partitionsSql } from '@plataforma/data';

/** A line that finds no partition is kept, and seen, until its own is made: a clock that is wrong loses none. */
export const requestLog = {
  table: 'request_log',
  by: { uuid7: 'id' },
  period: 'day',
  hasDefault: true,
} as const satisfies Partitions;

export const requestLogTable: Migration = {
  name: '032_request_log',
  sql: `
    CREATE TABLE request_log (
      -- Its time is the request's.
      id          uuid NOT NULL,
      merchant_id uuid NOT NULL,
      environment text NOT NULL,
      api_key_id  uuid,
      method      text NOT NULL,
      path        text NOT NULL,
      parameters  text[] NOT NULL,
      status      smallint,
      error_code  text,
      duration_ms integer NOT NULL,
      object_id   uuid,
      -- The caller's own; empty: it was not kept; null: it is the id.
      request_id  text,
      PRIMARY KEY (merchant_id, environment, id)
    ) PARTITION BY RANGE (id);
    CREATE INDEX request_log_failed ON request_log (merchant_id, environment, id) WHERE status >= 400;
    CREATE INDEX request_log_object ON request_log (merchant_id, environment, object_id, id) WHERE object_id IS NOT NULL;
    CREATE INDEX request_log_request ON request_log (merchant_id, environment, request_id) WHERE request_id IS NOT NULL;
    ${partitionsSql(requestLog)}
  `,
};
