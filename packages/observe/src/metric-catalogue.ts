interface Definition {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Their values come from a list of ours that is short: never an id, a path, an address or a merchant's text. */
  labels: readonly string[];
  /** Upper bounds; of a histogram only. */
  buckets?: readonly number[];
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Also of what waits while something is away. */
const LAG_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200] as const;
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 150, 200] as const;

/**
 * Every metric of ours, by its name. A gauge is read when somebody asks; what it tells of a queue or a table is the same
 * on every replica, to be combined with `max`, and what it tells of this process is not.
 */
export const metricCatalogue = {
  plataforma_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Requests by the pattern of their route; status "aborted" when the caller did not wait for the end.',
    labels: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_outbox_waiting: {
    kind: 'gauge',
    help: 'Events that are not published yet; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the first of the events that are not published has waited.',
    labels: [],
  },
  plataforma_queue_messages: {
    kind: 'gauge',
    help: 'Messages that wait in a queue of this service, without those a reader has taken.',
    labels: ['queue'],
  },
  plataforma_queue_consumers: {
    kind: 'gauge',
    help: 'How many read a queue of this service.',
    labels: ['queue'],
  },
  plataforma_event_lag_seconds: {
    kind: 'histogram',
    help: 'From when an event occurred to the commit of what it does here.',
    labels: ['type'],
    buckets: LAG_SECONDS,
  },
  plataforma_events_total: {
    kind: 'counter',
    help: 'Events that came: applied, a duplicate of what was applied, or dead, which went to the dead letters.',
    labels: ['type', 'outcome'],
  },
  plataforma_dead_letters: {
    kind: 'gauge',
    help: 'Dead letters that were not replayed; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_delivery_duration_seconds: {
    kind: 'histogram',
    help: 'Attempts to deliver: delivered, refused (an answer that is no 2xx), timeout, or failed (no answer).',
    labels: ['outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_deliveries_waiting: {
    kind: 'gauge',
    help: 'Deliveries that are not at their end, due or not; no more than 100000 are counted.',
    labels: [],
  },
  plataforma_deliveries_oldest_due_seconds: {
    kind: 'gauge',
    help: 'How long ago the first of the deliveries that are due fell due; 0 when none is.',
    labels: [],
  },
  plataforma_webhook_endpoints: {
    kind: 'gauge',
    help: 'Endpoints: healthy, failing (the last attempt failed), untried or inactive; those held_back are among the others and get two requests at a time from this process, as they did not answer in time.',
    labels: ['state'],
  },
  plataforma_provider_call_duration_seconds: {
    kind: 'histogram',
    help: 'What providers were asked: done, refused, unknown (it may have been done), or unreachable (it was not).',
    labels: ['provider', 'environment', 'operation', 'outcome'],
    buckets: REQUEST_SECONDS,
  },
  plataforma_unknown_outcomes: {
    kind: 'gauge',
    help: 'What was asked of a provider and has no known end yet.',
    labels: ['kind', 'environment'],
  },
  plataforma_unknown_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the first of what has no known end has been under way; 0 when there is none.',
    labels: ['kind', 'environment'],
  },
  plataforma_alarms_open: {
    kind: 'gauge',
    help: 'What providers have said that contradicts the record, and no operator has settled yet.',
    labels: ['subject'],
  },
  plataforma_stops_active: {
    kind: 'gauge',
    help: 'Stops of operators that hold orders up.',
    labels: ['what'],
  },
  plataforma_stops_waiting: {
    kind: 'gauge',
    help: 'Orders that stops hold up and that their providers are not known to have; of each sort no more than 100000 are counted.',
    labels: ['what'],
  },
  plataforma_stops_started_alone: {
    kind: 'gauge',
    help: 'Stops that a single operator has ended within the last hour, as there was no second one.',
    labels: ['what'],
  },
  plataforma_ledger_batch_size: {
    kind: 'histogram',
    help: 'How many events or debits were posted together.',
    labels: [],
    buckets: BATCH_SIZES,
  },
  plataforma_ledger_post_duration_seconds: {
    kind: 'histogram',
    help: 'How long posting a batch took, from the locks of its wallets to the last row before the commit.',
    labels: [],
    buckets: REQUEST_SECONDS,
  },
  plataforma_facts_not_posted_total: {
    kind: 'counter',
    help: 'Facts the ledger was told of and did not post: contradicted by the books, or groundless, the answer to none.',
    labels: ['kind', 'reason'],
  },
  plataforma_books_differences: {
    kind: 'gauge',
    help: 'Where the books do not say what their entries say, by the last whole check of them and the one under way.',
    labels: [],
  },
  plataforma_books_checked_seconds: {
    kind: 'gauge',
    help: 'How long ago a whole check of the books has ended; not there where they are not checked.',
    labels: [],
  },
  plataforma_books_check_every_seconds: {
    kind: 'gauge',
    help: 'From the beginning of a check of the books to the next one; not there where they are not checked.',
    labels: [],
  },
  plataforma_database_connections: {
    kind: 'gauge',
    help: 'Connections of this process: busy and idle; and how many wait for one.',
    labels: ['state'],
  },
  plataforma_circuit_open: {
    kind: 'gauge',
    help: '1 while this gateway turns a class of callers of a service away, because the service did not answer them.',
    labels: ['to', 'callers'],
  },
} as const satisfies Record<`plataforma_${string}`, Definition>;

type Catalogue = typeof metricCatalogue;

export type LabelsOf<Name extends keyof Catalogue> = Readonly<
  Record<Catalogue[Name]['labels'][number], string>
>;

type Named<Kind extends Definition['kind']> = {
  [Name in keyof Catalogue]: Catalogue[Name]['kind'] extends Kind ? Name : never;
}[keyof Catalogue];

export type GaugeName = Named<'gauge'>;
/** What is recorded as it happens. */
export type RecordedName = Named<'counter' | 'histogram'>;
