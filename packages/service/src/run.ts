import { inspect } from 'node:util';
import { ConfigError } from '@plataforma/kernel';
import { mask, startTraces } from '@plataforma/observe';
import { DatabaseAway } from './start/start-retry.ts';

export interface Running {
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;
/** The time from the start to the garbage collection. Requests that waited for the start come first. */
const TIDY_AFTER_MS = 15_000;

/**
 * Starts a process. SIGTERM or SIGINT aborts `stopping`. A start that is waiting may then throw the reason of
 * `stopping`.
 */
type Start = (env: NodeJS.ProcessEnv, stopping: AbortSignal) => Promise<Running>;

/**
 * Runs a service process: starts it, waits for SIGTERM or SIGINT, and stops it in order within ten seconds. A
 * signal during the start takes effect when the start has ended or stops waiting. For a wrong configuration
 * or an unavailable database, it prints only the message. With `service`, it exports traces if the
 * environment names a target.
 */
export async function runProcess(start: Start, service?: string): Promise<void> {
  const starting = Promise.withResolvers<Running>();
  const stopping = new AbortController();
  const stop = async () => {
    setTimeout(endLate, STOP_DEADLINE_MS).unref();
    stopping.abort();
    const running = await starting.promise.catch(unlessGivenUp);
    await running?.stop();
    process.exit(0);
  };
  const unlessGivenUp = (error: unknown) => {
    if (error !== stopping.signal.reason) throw error;
  };
  const stopOrFail = () => void stop().catch(fail);
  process.once('SIGTERM', stopOrFail);
  process.once('SIGINT', stopOrFail);
  // Set the signal handlers before the start. A signal during the start then stops the components that have
  // already begun.
  const env = process.env;
  starting.resolve(
    service === undefined ? start(env, stopping.signal) : startTraced(start, service, stopping.signal),
  );
  await starting.promise.catch(unlessGivenUp).catch(fail);
  setTimeout(() => void collectGarbage().catch(() => undefined), TIDY_AFTER_MS).unref();
}

/**
 * Collects garbage, because a third of a process's memory is no longer used after the start. V8 itself frees
 * it only after two minutes without a request. The collection makes two pauses of 20 ms.
 */
async function collectGarbage(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc === 'function') gc();
}

/** Starts a process with traces. The traces stop last, so that they include the stop of the process. */
async function startTraced(start: Start, service: string, stopping: AbortSignal): Promise<Running> {
  const traces = await startTraces(service, process.env);
  const running = await start(process.env, stopping);
  return {
    async stop() {
      await running.stop();
      await traces.stop();
    },
  };
}

/**
 * Ends a process whose stop takes too long. Another replica, or this one after a restart, resumes the
 * interrupted work.
 */
function endLate(): void {
  console.error(`Stopping took more than ${STOP_DEADLINE_MS / 1_000} s: the process ends where it is`);
  process.exit(1);
}

function fail(error: unknown): void {
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(mask(error instanceof DatabaseAway ? error.message : inspect(error)));
  process.exit(1);
}
