import { inspect } from 'node:util';
import { ConfigError } from '@plataforma/kernel';
import { mask, startTraces } from '@plataforma/observe';
import { DatabaseAway } from './start/start-retry.ts';

export interface Running {
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;
/** The collection slows what follows for some seconds, as memory has to grow again: not while what waited for the start is done. */
const TIDY_AFTER_MS = 15_000;

/** How a process starts; `stopping` is aborted when it gets SIGTERM or SIGINT, and what waits may then throw its reason. */
type Start = (env: NodeJS.ProcessEnv, stopping: AbortSignal) => Promise<Running>;

/**
 * The life of a service process: start, run until SIGTERM or SIGINT, stop in order within ten seconds. One that gets the
 * signal while it starts stops as soon as it has started, or has given up waiting for that. A wrong configuration and
 * a database that is away print what is wrong and nothing else. The traces of a `service` are exported if its
 * environment says where to.
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
  // Not sooner: before its first wait it may have begun what has to be stopped in order.
  const env = process.env;
  starting.resolve(
    service === undefined ? start(env, stopping.signal) : startTraced(start, service, stopping.signal),
  );
  await starting.promise.catch(unlessGivenUp).catch(fail);
  setTimeout(() => void collectGarbage().catch(() => undefined), TIDY_AFTER_MS).unref();
}

/**
 * A start leaves a third of a process's memory behind. V8 by itself gives it back after two minutes without a request, and
 * else keeps it. It takes two pauses of a fiftieth of a second.
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
