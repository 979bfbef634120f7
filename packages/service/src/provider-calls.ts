import { types } from 'node:util';
import { type Environment, Refusal } from '@plataforma/kernel';
import { metrics } from './metrics.ts';
import { OrderStopped } from './stops/gate.ts';

type Outcome = 'done' | 'refused' | 'unknown' | 'unreachable';

/**
 * Wraps a client so that it measures the duration and the outcome of each call, labelled with the method's
 * name. A paged list is measured per page.
 */
export function measured<Client extends object>(
  client: Client,
  about: { provider: string; environment: Environment },
): Client {
  const seconds = metrics.recorder('plataforma_provider_call_duration_seconds');
  return new Proxy(client, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const begin = () => {
        const startedAt = performance.now();
        return (outcome: Outcome) =>
          seconds({ ...about, operation: name, outcome }, (performance.now() - startedAt) / 1_000);
      };
      return (...args: unknown[]) => {
        const end = begin();
        const result: unknown = Reflect.apply(member, target, args);
        if (types.isPromise(result)) return ended(result, end, outcomeIn);
        return isPaged(result) ? eachMeasured(begin, result) : result;
      };
    },
  });
}

type End = (outcome: Outcome) => void;

/**
 * Waits for the answer of a call and records the outcome. When `judge` returns null for the answer, no
 * request was sent, so nothing is recorded.
 */
async function ended<T>(answer: Promise<T>, end: End, judge: (result: T) => Outcome | null): Promise<T> {
  const result = await answer.catch((error) => {
    // OrderStopped means that the order was not sent to the provider, so the provider has not failed.
    if (!(error instanceof OrderStopped)) end(outcomeOf(error));
    throw error;
  });
  const outcome = judge(result);
  if (outcome) end(outcome);
  return result;
}

/**
 * Measures each page as one call, and an empty list as one call. The read after the last page is not
 * measured, because it sends no request.
 */
async function* eachMeasured(begin: () => End, pages: AsyncIterable<unknown>): AsyncIterable<unknown> {
  const reading = pages[Symbol.asyncIterator]();
  for (let isFirst = true; ; isFirst = false) {
    const page = await ended(reading.next(), begin(), ({ done }) => (done && !isFirst ? null : 'done'));
    if (page.done) return;
    yield page.value;
  }
}

function isPaged(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

const REFUSALS: ReadonlySet<unknown> = new Set(['refused', 'declined', 'failed']);

/** Returns `refused` when the provider says that it did not execute the request, and `done` otherwise. */
function outcomeIn(result: unknown): Outcome {
  if (result === false) return 'refused';
  if (typeof result !== 'object' || result === null || !('state' in result)) return 'done';
  return REFUSALS.has(result.state) ? 'refused' : 'done';
}

/**
 * Returns `unreachable` when no connection was made, and otherwise `unknown`, even after a bug in our code.
 */
function outcomeOf(error: unknown): Outcome {
  return error instanceof Refusal && neverConnected(error.cause) ? 'unreachable' : 'unknown';
}

/**
 * Error codes of failures before a connection exists: no listener, no name, no route, no trusted certificate.
 * After any other failure, the provider may have executed the request.
 */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function neverConnected(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return false;
  return NOT_CONNECTED.test(String(cause.code));
}
