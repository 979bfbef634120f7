import {
  type Bulkhead,
  type CallerClass,
  callerClasses,
  classOf,
  createBulkhead,
  type Identity,
  pools,
  type Stranger,
} from '@plataforma/http';
import type { Log } from '@plataforma/observe';
import CircuitBreaker from 'opossum';
import type { Exchange } from './exchange.ts';
import { streamsWith } from './streamed-exchange.ts';
import { exchangesWith, isTooLong } from './whole-exchange.ts';

/** A caller without an account, and the pool of its slots. */
export type PooledStranger = Stranger & { pool: 'buyers' | 'callbacks' };
type Caller = Identity | PooledStranger;

type Request = Parameters<Exchange>;
type Outgoing = Omit<Request[2], 'holder'>;

/** An exchange for a caller; with a Refusal when it was not begun, for too many are under way. */
type ExchangeFor = (who: Caller, req: Request[0], res: Request[1], outgoing: Outgoing) => Promise<void>;

/**
 * The way to one service: connections kept alive, and a breaker for each class of callers that opens when nothing answers
 * that class.
 */
export interface Circuit {
  /** Answers of a size that is known to be small: the caller gets the whole of it, or reads that there was none. */
  exchange: ExchangeFor;
  /** Answers of any length, passed on as they come. */
  stream: ExchangeFor;
  /** For an answer that waits for what is to happen: takes no slot of the others, and counts for no breaker. */
  wait: ExchangeFor;
  /** Answers those that wait with 503. */
  endWaits(): Promise<void>;
  /** Whether callers of this class are turned away. */
  isOpen(callers: CallerClass): boolean;
  close(): Promise<void>;
}

const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 20,
  resetTimeout: 1_000,
  // The service did answer: how much there is to say is no fault of it.
  errorFilter: isTooLong,
} as const;

interface CircuitOptions {
  service: string;
  target: string;
  log: Log;
  longAnswers: Bulkhead;
}

/** A breaker counts what never became an answer; an answer, whatever it says and however long, is a success. */
export function circuitTo({ service, target, log, longAnswers }: CircuitOptions): Circuit {
  const waiting = exchangesWith(target, {
    ...{ connections: pools.forwardedWaits.total, longAnswers },
    abandons: true,
  });
  const inWaitingSlot = createBulkhead('forwardedWaits');
  const attempt = (exchange: Exchange, ...request: Parameters<Exchange>) => exchange(...request);
  const breakers = new Map(callerClasses.map((callers) => [callers, breakerFor(callers)]));

  function breakerFor(callers: CallerClass) {
    const breaker = new CircuitBreaker(attempt, BREAKER);
    const about = { to: service, callers };
    breaker.on('failure', (error) => log.warn({ err: error, ...about }, 'a service did not answer'));
    breaker.on('open', () => log.error(about, 'circuit open: callers are turned away'));
    breaker.on('close', () => log.info(about, 'circuit closed: the service answers again'));
    return breaker;
  }

  /** Slots, and a connection for each of them, so that no other pool delays these requests. */
  function lane(inSlot: Bulkhead, { total }: { total: number }) {
    const whole = exchangesWith(target, { connections: total, longAnswers });
    const streamed = streamsWith(target, total);
    const guarded =
      (exchange: Exchange): ExchangeFor =>
      (who, req, res, outgoing) =>
        inSlot(who, async () => {
          // The caller may have hung up while the request waited for its slot.
          if (res.closed || req.socket.destroyed) return;
          await breakers.get(classOf(who))?.fire(exchange, req, res, { ...outgoing, holder: who });
        });
    return {
      exchange: guarded(whole.send),
      stream: guarded(streamed.send),
      async close() {
        streamed.close();
        await whole.close();
      },
    };
  }

  const lanes = {
    requests: lane(createBulkhead('requests'), pools.requests),
    buyers: lane(createBulkhead('buyers'), pools.buyers),
    callbacks: lane(createBulkhead('callbacks'), pools.callbacks),
  };
  const laneOf = (who: Caller) => lanes['pool' in who ? who.pool : 'requests'];
  return {
    exchange: (who, ...request) => laneOf(who).exchange(who, ...request),
    stream: (who, ...request) => laneOf(who).stream(who, ...request),
    wait: (who, req, res, outgoing) =>
      inWaitingSlot(who, () => waiting.send(req, res, { ...outgoing, holder: who })),
    endWaits: waiting.close,
    isOpen: (callers) => breakers.get(callers)?.opened === true,
    async close() {
      for (const breaker of breakers.values()) breaker.shutdown();
      await Promise.all([...Object.values(lanes), waiting].map((way) => way.close()));
    },
  };
}
