import {
  type AnonymousCaller,
  type Bulkhead,
  type CallerClass,
  callerClasses,
  classOf,
  createBulkhead,
  type Identity,
  pools,
} from '@plataforma/http';
import type { Log } from '@plataforma/observe';
import CircuitBreaker from 'opossum';
import { bufferedForwardTo, isTooLong } from './buffered-forward.ts';
import type { SendToService } from './forwarding.ts';
import { streamedForwardTo } from './streamed-forward.ts';

/** A caller without an account, with the pool in which its requests take slots. */
export type PooledAnonymous = AnonymousCaller & { pool: 'buyers' | 'buyerReads' | 'callbacks' };
type Caller = Identity | PooledAnonymous;

type Request = Parameters<SendToService>;
type Outgoing = Omit<Request[2], 'holder'>;

/** Forwards a caller's request. Rejects with a Refusal if no slot is free. */
type SendFor = (caller: Caller, req: Request[0], res: Request[1], outgoing: Outgoing) => Promise<void>;

/**
 * The link to one service: its connections, and a circuit breaker for each class of callers. A breaker opens
 * if the service does not answer requests of that class.
 */
export interface ServiceLink {
  /**
   * Forwards a request and buffers its answer, which must be small, so that the caller gets the complete
   * answer or an error.
   */
  buffer: SendFor;
  /** Forwards a request and streams its answer, which may have any length. */
  stream: SendFor;
  /** Forwards a long poll. Long polls have their own slots and no circuit breaker. */
  wait: SendFor;
  /** Answers all waiting long polls with 503. */
  endWaits(): Promise<void>;
  isOpen(callers: CallerClass): boolean;
  close(): Promise<void>;
}

const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 20,
  resetTimeout: 1_000,
  // An answer that is too long does not count as a failure, because the service did answer.
  errorFilter: isTooLong,
} as const;

interface ServiceLinkOptions {
  service: string;
  target: string;
  log: Log;
  longAnswers: Bulkhead;
}

/**
 * Builds the link to a service. A request without an answer counts as a failure for the circuit breaker, any
 * answer as a success.
 */
export function linkToService({ service, target, log, longAnswers }: ServiceLinkOptions): ServiceLink {
  const waiting = bufferedForwardTo(target, {
    ...{ connections: pools.forwardedWaits.total, longAnswers },
    abandons: true,
  });
  const inWaitingSlot = createBulkhead('forwardedWaits');
  const attempt = (send: SendToService, ...request: Parameters<SendToService>) => send(...request);
  const breakers = new Map(callerClasses.map((callers) => [callers, breakerFor(callers)]));

  function breakerFor(callers: CallerClass) {
    const breaker = new CircuitBreaker(attempt, BREAKER);
    const about = { to: service, callers };
    breaker.on('failure', (error) => log.warn({ err: error, ...about }, 'a service did not answer'));
    breaker.on('open', () => log.error(about, 'circuit open: calls are refused'));
    breaker.on('close', () => log.info(about, 'circuit closed because the service answers again'));
    return breaker;
  }

  /**
   * Creates the two functions that forward the requests of one pool. Each function has a connection for every
   * slot of the pool, so requests never wait for connections of another pool.
   */
  function createPool(inSlot: Bulkhead, { total }: { total: number }) {
    const buffered = bufferedForwardTo(target, { connections: total, longAnswers });
    const streamed = streamedForwardTo(target, total);
    const guarded =
      (send: SendToService): SendFor =>
      (caller, req, res, outgoing) =>
        inSlot(caller, async () => {
          // The caller may have hung up while the request waited for its slot.
          if (res.closed || req.socket.destroyed) return;
          await breakers.get(classOf(caller))?.fire(send, req, res, { ...outgoing, holder: caller });
        });
    return {
      buffer: guarded(buffered.send),
      stream: guarded(streamed.send),
      async close() {
        streamed.close();
        await buffered.close();
      },
    };
  }

  const pooled = {
    requests: createPool(createBulkhead('requests'), pools.requests),
    buyers: createPool(createBulkhead('buyers'), pools.buyers),
    buyerReads: createPool(createBulkhead('buyerReads'), pools.buyerReads),
    callbacks: createPool(createBulkhead('callbacks'), pools.callbacks),
  };
  const pooledFor = (caller: Caller) => pooled['pool' in caller ? caller.pool : 'requests'];
  return {
    buffer: (caller, ...request) => pooledFor(caller).buffer(caller, ...request),
    stream: (caller, ...request) => pooledFor(caller).stream(caller, ...request),
    wait: (caller, req, res, outgoing) =>
      inWaitingSlot(caller, () => waiting.send(req, res, { ...outgoing, holder: caller })),
    endWaits: waiting.close,
    isOpen: (callers) => breakers.get(callers)?.opened === true,
    async close() {
      for (const breaker of breakers.values()) breaker.shutdown();
      await Promise.all([...Object.values(pooled), waiting].map((way) => way.close()));
    },
  };
}
