import type { Database } from '@plataforma/data';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { Script } from '../fakes/script.ts';

/** The kinds of request to a provider: for an access token, for an order, or for the state of an order. */
type Operation = 'token' | 'order' | 'find';

export type Recorded = 'OPEN' | 'DONE' | 'FAILED';

export interface OrderUnderTest {
  /** The key of the order's row. */
  key: string;
  /** The fields that every alarm about the order has, in addition to kind and amount. */
  about: Record<string, unknown>;
  /** The amount of the order, in cents. */
  amount: number;
  recorded(): Promise<Recorded>;
  /** Returns everything that the API shows to the order's merchant about the order. */
  shown(): Promise<unknown>;
  /** Returns the names of the events that the service published about the order. */
  announced(): Promise<string[]>;
  /** Returns the alarms about the order, as the service sends them to the gateway. */
  alarms(): Promise<object[]>;
  /** Returns the bodies of the requests that the provider received about the order. */
  requests(operation: 'order' | 'find'): string[];
  /** Returns the number of payments that the provider has made for the order. */
  paid(): number;
  /** Makes the provider finish the order that it has accepted. */
  end(how: 'DONE' | 'FAILED'): void;
  notify(): Promise<unknown>;
  /**
   * The service's response to the request that began the order; null if the service responds before the order
   * is sent.
   */
  answer: Promise<[status: number, code: string | undefined] | null>;
}

export interface BeginOptions<R> {
  /** True if the provider accepts the order, but finishes it only when the test calls `end`. */
  isSlow?: boolean;
  /** The replica that receives the request. The default is the first replica. */
  at?: R;
}

export interface OrderWorld<R extends Running = Running> {
  database: Pick<Database, 'query'>;
  script: Pick<Script<Operation>, 'next' | 'always'>;
  /** Begins an order, and does not wait until the order has ended. */
  begin(options?: BeginOptions<R>): Promise<OrderUnderTest>;
  /**
   * Starts a replica. A `late` replica has short leases and waits long for the provider. A `prompt` replica
   * processes every due order at once.
   */
  startReplica(pace: 'late' | 'prompt'): Promise<R>;
  /** Stops everything. Throws if the records of the service and of the provider differ. */
  stop(): Promise<void>;
}

/** The properties in which the orders of one service differ from those of the other services. */
export interface OrderAdapter<R extends Running = Running> {
  /**
   * Starts the test environment. `idle`: a refusal stays unconfirmed for ten minutes. `faulty`: as `idle`,
   * with a provider timeout of about two seconds. `hasty`: the first replica has no scheduler, and a refusal
   * stays unconfirmed for a second.
   */
  start(pace: 'idle' | 'faulty' | 'hasty'): Promise<OrderWorld<R>>;
  /**
   * The orders' table and its key column. `isWatched` is an SQL condition: the order has ended, and the
   * service still checks its state.
   */
  row: { table: string; key: string; isWatched: string };
  /** The behaviour of a provider that refuses an order for good. */
  refusing: Behaviour;
  /** The behaviour of a provider that answers that the order does not exist. */
  knowsNone: Behaviour;
  /**
   * A provider that reports a different amount in the answer to `operation`. `recorded` is the order's state
   * after that answer.
   */
  anotherAmount: {
    operation: 'order' | 'find';
    behaviour: Behaviour;
    amount: number;
    recorded: 'OPEN' | 'DONE';
  };
  /**
   * The events that the service publishes for each result. `REFUSED`: the provider refused the first request
   * for the order.
   */
  announces: Record<'DONE' | 'FAILED' | 'REFUSED', string[]>;
  /**
   * Answers that only this provider gives and that leave the order's outcome unknown, per kind of request.
   */
  faults: Record<'order' | 'find', [what: string, behaviour: Behaviour][]>;
}
