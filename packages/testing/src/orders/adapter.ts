import type { Database } from '@plataforma/data';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { Script } from '../fakes/script.ts';

/** A request of ours that a provider answers: for an access token, to move money, and how an order stands. */
type Operation = 'token' | 'order' | 'find';

/** How an order stands in the record. */
export type Recorded = 'OPEN' | 'DONE' | 'FAILED';

/** One item whose order goes to the provider. */
export interface OrderUnderTest {
  /** The value that names its row. */
  key: string;
  /** The fields of every alarm about it, beside kind and amount. */
  about: Record<string, unknown>;
  /** In cents. */
  amount: number;
  recorded(): Promise<Recorded>;
  /** All that its owner reads of it. */
  shown(): Promise<unknown>;
  /** The names of the events of its order. */
  announced(): Promise<string[]>;
  /** As the gateway reads them. */
  alarms(): Promise<object[]>;
  /** The bodies of what the provider was asked about it. */
  requests(operation: 'order' | 'find'): string[];
  /** How many payments the provider has made for it. */
  paid(): number;
  /** The provider ends what it has taken. */
  end(how: 'DONE' | 'FAILED'): void;
  /** The provider sends a notice about it. */
  notify(): Promise<unknown>;
  /** The answer to the request that began it; null when it does not wait for the order. */
  answer: Promise<[status: number, code: string | undefined] | null>;
}

export interface BeginOptions<R> {
  /** The provider takes the order, and ends it only when the test says so. */
  isSlow?: boolean;
  /** The replica that is asked; the first one when left out. */
  at?: R;
}

export interface OrderWorld<R extends Running = Running> {
  database: Pick<Database, 'query'>;
  script: Pick<Script<Operation>, 'next' | 'always'>;
  /** Does not wait for the order. */
  begin(options?: BeginOptions<R>): Promise<OrderUnderTest>;
  /** Late: its leases are short, its timeout for the provider is long. Prompt: it works off all that is due. */
  startReplica(pace: 'late' | 'prompt'): Promise<R>;
  /** Throws when the record and the provider's disagree. */
  stop(): Promise<void>;
}

/** The differences between a service's orders and those of others. */
export interface OrderAdapter<R extends Running = Running> {
  /**
   * Idle: nothing happens by itself for ten minutes but what is due. Faulty: likewise, and an answer is awaited for
   * two seconds or so. Hasty: the first replica works nothing off, and a refusal is unconfirmed for a second or so.
   */
  start(pace: 'idle' | 'faulty' | 'hasty'): Promise<OrderWorld<R>>;
  /** Where it is stored, the column of its key, and when it has ended and is looked at again. */
  row: { table: string; key: string; isWatched: string };
  /** A definite refusal of an order. */
  refusing: Behaviour;
  /** The provider shows no such order. */
  knowsNone: Behaviour;
  /** It is done in another amount, says the provider when asked so; the record is then as it says. */
  anotherAmount: {
    operation: 'order' | 'find';
    behaviour: Behaviour;
    amount: number;
    recorded: 'OPEN' | 'DONE';
  };
  /** The events of an end; REFUSED: of a first order that is refused. */
  announces: Record<'DONE' | 'FAILED' | 'REFUSED', string[]>;
  /** Indefinite answers of this provider alone, to an order or a question. */
  faults: Record<'order' | 'find', [what: string, behaviour: Behaviour][]>;
}
