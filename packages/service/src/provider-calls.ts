import { types } from 'node:util';
import { type Environment, Refusal } from '@plataforma/kernel';
import { metrics } from './metrics.ts';
import { OrderStopped } from './stops/gate.ts';

type Outcome = 'done' | 'refused' | 'unknown' | 'unreachable';

/**
 * The same client, with each call to one of its methods measured, by the method's name: how long it took and what came
 * of it. Of a list, which is read page by page, each page is a call.
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

/** A result without an outcome was no call. */
async function ended<T>(answer: Promise<T>, end: End, judge: (result: T) => Outcome | null): Promise<T> {
  const result = await answer.catch((error) => {
    // A stop has kept it from the provider, which has not failed.
    if (!(error instanceof OrderStopped)) end(outcomeOf(error));
    throw error;
  });
  const outcome = judge(result);
  if (outcome) end(outcome);
  return result;
}

/** The end of a list is known from its last page, unless that was the first and empty. */
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

/** Refused: what was asked for is not done, and the provider says so. */
function outcomeIn(result: unknown): Outcome {
  if (result === false) return 'refused';
  if (typeof result !== 'object' || result === null || !('state' in result)) return 'done';
  return REFUSALS.has(result.state) ? 'refused' : 'done';
}

/** A refusal is the client's word for what the provider did, which is not known; anything else is a defect of ours. */
function outcomeOf(error: unknown): Outcome {
  return error instanceof Refusal && neverConnected(error.cause) ? 'unreachable' : 'unknown';
}

/** No connection: nobody there, no name, no way, nobody we trust. What fails later may have been done. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function neverConnected(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return false;
  return NOT_CONNECTED.test(String(cause.code));
}
