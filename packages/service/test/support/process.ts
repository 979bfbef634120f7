import { readConfig } from '@plataforma/kernel';
import { z } from 'zod';
import { runProcess, serviceSettings } from '../../src/index.ts';

const ms = z.coerce.number().default(10);

/** Prints `collected` when a garbage collection removes the object that the start registers below. */
const left = new FinalizationRegistry<string>(console.error);

/** Runs a service in its own process. Its start and its stop take the configured times. */
await runProcess(async (env) => {
  const config = readConfig(z.object({ ...serviceSettings, START_MS: ms, STOP_MS: ms }), env);
  if (env.FAIL) throw new Error(`cannot start: ${env.FAIL}`);
  console.error('starting');
  if (env.STOP_AT_ONCE) process.kill(process.pid, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, config.START_MS));
  const alive = setInterval(() => undefined, 60_000);
  console.error('started');
  left.register({}, 'collected');
  return {
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, config.STOP_MS));
      clearInterval(alive);
      console.error('stopped in order');
    },
  };
});
