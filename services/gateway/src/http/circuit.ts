import { createPlaces, type Identity, type Log } from '@plataforma/chassis';
import CircuitBreaker from 'opossum';
import { type Exchange, MAX_CONNECTIONS } from './exchange.ts';
import { streamsWith } from './streamed-exchange.ts';
import { exchangesWith } from './whole-exchange.ts';

/** An exchange for somebody; with a Refusal when it was not begun, for too many are under way. */
type ExchangeFor = (who: Identity, ...request: Parameters<Exchange>) => Promise<void>;

/** The way to one service: connections kept alive, and a breaker that opens when nothing answers. */
export interface Circuit {
  /** Answers of a size that is known to be small: the caller gets the whole of it, or hears that there was none. */
  exchange: ExchangeFor;
  /** Answers of any length, passed on as they come. */
  stream: ExchangeFor;
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

  const withPlace = sharedPlaces();
  const guarded =
    (exchange: Exchange): ExchangeFor =>
    async (who, ...request) =>
      void (await withPlace(who, () => breaker.fire(exchange, ...request)));
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

const FULL = 'too many requests are under way: send fewer at a time, and try again shortly';
const SHARE = MAX_CONNECTIONS / 2;
const SANDBOX_SHARE = MAX_CONNECTIONS / 4;

/**
 * Nobody takes all the places, whatever he waits for there. All sandboxes together have what one production merchant may
 * have, since whoever registers has one: what strangers try there never costs production its places.
 */
function sharedPlaces(): (who: Identity, work: () => Promise<unknown>) => Promise<unknown> {
  const all = createPlaces({ inAll: MAX_CONNECTIONS, forOneHolder: SHARE, full: FULL });
  const sandboxes = createPlaces({ inAll: SHARE, forOneHolder: SANDBOX_SHARE, full: FULL });
  return (who, work) => {
    if (who.kind !== 'merchant') return all(who.kind, work);
    if (who.environment === 'production') return all(who.merchantId, work);
    return sandboxes(who.merchantId, () => all('sandboxes', work));
  };
}
