import { inspect } from 'node:util';
import { ConfigError } from '@plataforma/kernel';
import { mask, startTraces } from '@plataforma/observe';
import { DatabaseAway } from './start/start-retry.ts';

export interface Running {
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;
/**
 * The collection slows the process for some seconds, so it starts after the work that waited for the start.
 */
const TIDY_AFTER_MS = 15_000;

/** Starts a process. SIGTERM or SIGINT aborts `stopping`, and a waiting start may then throw its reason. */
type Start = (env: NodeJS.ProcessEnv, stopping: AbortSignal) => Promise<Running>;

/**
 * Runs a service process: starts it, waits for SIGTERM or SIGINT, and stops it in order within ten seconds. A
 * signal during the start takes effect when the start has ended or has given up waiting. A wrong
 * configuration or an unavailable database prints only its message. A process with `service` exports its
 * traces if its environment names a target.
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
  // The handlers come first, because a start may begin components that need an orderly stop at once.
  const env = process.env;
  starting.resolve(
    service === undefined ? start(env, stopping.signal) : startTraced(start, service, stopping.signal),
  );
  await starting.promise.catch(unlessGivenUp).catch(fail);
  setTimeout(() => void collectGarbage().catch(() => undefined), TIDY_AFTER_MS).unref();
}

/**
 * Collects garbage, because a start leaves a third of a process's memory behind. V8 frees it by itself only
 * after two minutes without a request. The collection makes two pauses of 20 ms.
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

/** Stops the traces last, so that the stop itself is traced. */
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

/** Another replica, or this one after its restart, resumes the interrupted work. */
function endLate(): void {
  console.error(`Stopping took more than ${STOP_DEADLINE_MS / 1_000} s: the process ends where it is`);
  process.exit(1);
}

function fail(error: unknown): void {
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(mask(error instanceof DatabaseAway ? error.message : inspect(error)));
  process.exit(1);
}
