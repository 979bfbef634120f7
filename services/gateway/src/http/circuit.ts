import type { Log } from '@plataforma/chassis';
import CircuitBreaker from 'opossum';
import { type Exchange, MAX_CONNECTIONS } from './exchange.ts';
import { streamsWith } from './streamed-exchange.ts';
import { exchangesWith } from './whole-exchange.ts';

/** The way to one service: connections kept alive, and a breaker that opens when nothing answers. */
export interface Circuit {
  /** Answers of a size that is known to be small: the caller gets the whole of it, or hears that there was none. */
  exchange: Exchange;
  /** Answers of any length, passed on as they come. */
  stream: Exchange;
  /** Whether callers are turned away. */
  isOpen(): boolean;
  close(): Promise<void>;
}

const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 20,
  resetTimeout: 1_000,
} as const;

interface CircuitOptions {
  service: string;
  target: string;
  log: Log;
}

/** The breaker counts what never became an answer; an answer, whatever it says, is a success. */
export function circuitTo({ service, target, log }: CircuitOptions): Circuit {
  const whole = exchangesWith(target);
  const streamed = streamsWith(target);
  const attempt = (exchange: Exchange, ...request: Parameters<Exchange>) => exchange(...request);
  const breaker = new CircuitBreaker(attempt, BREAKER);
  breaker.on('failure', (error) => log.warn({ err: error, to: service }, 'a service did not answer'));
  breaker.on('open', () => log.error({ to: service }, 'circuit open: callers are turned away'));
  breaker.on('close', () => log.info({ to: service }, 'circuit closed: the service answers again'));

  let inFlight = 0;
  const guarded =
    (exchange: Exchange): Exchange =>
    async (req, res, outgoing) => {
      if (inFlight >= MAX_CONNECTIONS) throw new Error(`${service} has more to do than it can`);
      inFlight += 1;
      try {
        await breaker.fire(exchange, req, res, outgoing);
      } finally {
        inFlight -= 1;
      }
    };
  return {
    exchange: guarded(whole.send),
    stream: guarded(streamed.send),
    isOpen: () => breaker.opened,
    async close() {
      breaker.shutdown();
      streamed.close();
      await whole.close();
    },
  };
}
