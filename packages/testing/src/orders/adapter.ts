import type { Database } from '@plataforma/data';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { Script } from '../fakes/script.ts';

/** A request to a provider: an access token, an order, or a question about an order's state. */
type Operation = 'token' | 'order' | 'find';

export type Recorded = 'OPEN' | 'DONE' | 'FAILED';

export interface OrderUnderTest {
  /** The key of its row. */
  key: string;
  /** The fields of each of its alarms, beside kind and amount. */
  about: Record<string, unknown>;
  /** In cents. */
  amount: number;
  recorded(): Promise<Recorded>;
  /** Returns everything that the owner reads about it. */
  shown(): Promise<unknown>;
  /** Returns the names of its order's events. */
  announced(): Promise<string[]>;
  /** Returns its alarms as the gateway reads them. */
  alarms(): Promise<object[]>;
  /** Returns the bodies of the requests to the provider about it. */
  requests(operation: 'order' | 'find'): string[];
  /** Returns how many payments the provider has made for it. */
  paid(): number;
  /** Makes the provider finish the order that it took. */
  end(how: 'DONE' | 'FAILED'): void;
  notify(): Promise<unknown>;
  /** The response to the request that began it; null if that request does not wait for the order. */
  answer: Promise<[status: number, code: string | undefined] | null>;
}

export interface BeginOptions<R> {
  /** The provider takes the order and finishes it only when the test calls `end`. */
  isSlow?: boolean;
  /** The replica that gets the request. The default is the first one. */
  at?: R;
}

export interface OrderWorld<R extends Running = Running> {
  database: Pick<Database, 'query'>;
  script: Pick<Script<Operation>, 'next' | 'always'>;
  /** Begins an order and does not wait for its end. */
  begin(options?: BeginOptions<R>): Promise<OrderUnderTest>;
  /**
   * A late replica has short leases and a long provider timeout. A prompt one processes everything that is
   * due.
   */
  startReplica(pace: 'late' | 'prompt'): Promise<R>;
  /** Throws if the service's records and the provider's differ. */
  stop(): Promise<void>;
}

/** The parts of a service's orders that differ from those of other services. */
export interface OrderAdapter<R extends Running = Running> {
  /**
   * `idle`: the scheduler processes only due orders for ten minutes. `faulty`: the same with a provider
   * timeout of about two seconds. `hasty`: the first replica's scheduler is off, and a refusal stays
   * unconfirmed for about a second.
   */
  start(pace: 'idle' | 'faulty' | 'hasty'): Promise<OrderWorld<R>>;
  /** The table, its key column, and the SQL condition of an ended order that still has checks. */
  row: { table: string; key: string; isWatched: string };
  /** A definite refusal of an order. */
  refusing: Behaviour;
  /** The provider answers that it has no such order. */
  knowsNone: Behaviour;
  /** For this operation the provider reports a different amount; `recorded` is the state after it. */
  anotherAmount: {
    operation: 'order' | 'find';
    behaviour: Behaviour;
    amount: number;
    recorded: 'OPEN' | 'DONE';
  };
  /** The events of each end; REFUSED is the refusal of a first order. */
  announces: Record<'DONE' | 'FAILED' | 'REFUSED', string[]>;
  /** Indefinite answers that only this provider gives, to an order or to a question about one. */
  faults: Record<'order' | 'find', [what: string, behaviour: Behaviour][]>;
}
