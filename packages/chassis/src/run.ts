import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import { mask } from './mask.ts';

export interface Running {
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;

/**
 * The life of a service process: start, run until SIGTERM or SIGINT, stop in order within ten seconds.
 * A wrong configuration prints what is wrong and nothing else.
 */
export async function runProcess(start: (env: NodeJS.ProcessEnv) => Promise<Running>): Promise<void> {
  let running: Running;
  try {
    running = await start(process.env);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : mask(inspect(error)));
    process.exit(1);
  }
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    running.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(mask(inspect(error)));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
