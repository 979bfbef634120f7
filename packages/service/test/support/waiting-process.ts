import { z } from 'zod';
import { defineService, runProcess, serviceSettings } from '../../src/index.ts';

/** Runs a service with one table in its own process. It starts as every service does. */
await runProcess(async (env, stopping) => {
  const start = defineService({
    name: 'notes',
    config: z.object(serviceSettings),
    migrations: [{ name: '001_notes', sql: 'CREATE TABLE notes (id integer)' }],
    tuning: {},
    build: () => ({}),
    routes: () => undefined,
  });
  const service = await start(env, {}, stopping);
  console.error(`listening on ${service.url}`);
  return {
    async stop() {
      await service.stop();
      console.error('stopped in order');
    },
  };
});
