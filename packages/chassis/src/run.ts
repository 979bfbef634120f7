import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { mask } from './mask.ts';
import { startTraces } from './traces.ts';

export interface Running {
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;

/**
 * The life of a service process: start, run until SIGTERM or SIGINT, stop in order within ten seconds; told to stop
 * while it starts, it stops as soon as it has started. A wrong configuration prints what is wrong and nothing else.
 * The traces of a `service` are exported if its environment says where to.
 */
export async function runProcess(
  start: (env: NodeJS.ProcessEnv) => Promise<Running>,
  service?: string,
): Promise<void> {
  const starting = Promise.withResolvers<Running>();
  const stop = async () => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    const running = await starting.promise;
    await running.stop();
    process.exit(0);
  };
  const stopOrFail = () => void stop().catch(fail);
  process.once('SIGTERM', stopOrFail);
  process.once('SIGINT', stopOrFail);
  // Not sooner: before its first wait it may have begun what has to be stopped in order.
  starting.resolve(service === undefined ? start(process.env) : startTraced(start, service));
  await starting.promise.catch(fail);
}

/** What runs until the last moment is traced, too. */
async function startTraced(
  start: (env: NodeJS.ProcessEnv) => Promise<Running>,
  service: string,
): Promise<Running> {
  const traces = await startTraces(service, process.env);
  const running = await start(process.env);
  return {
    async stop() {
      await running.stop();
      await traces.stop();
    },
  };
}

function fail(error: unknown): void {
  console.error(error instanceof ConfigError ? error.message : mask(inspect(error)));
  process.exit(1);
}
