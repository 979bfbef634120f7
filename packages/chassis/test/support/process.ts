import { z } from 'zod';
import { readConfig, runProcess, serviceSettings } from '../../src/index.ts';

/** A service that takes as long to stop as it is told; to be run as a process of its own. */
await runProcess(async (env) => {
  const config = readConfig(z.object({ ...serviceSettings, STOP_MS: z.coerce.number() }), env);
  if (env.FAIL) throw new Error(`cannot start: ${env.FAIL}`);
  const alive = setInterval(() => undefined, 60_000);
  console.error('started');
  return {
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, config.STOP_MS));
      clearInterval(alive);
      console.error('stopped in order');
    },
  };
});
