import { z } from 'zod';
import { runProcess, serviceSettings, startService } from '../../src/index.ts';

/** A service with one table, which starts as every service does; to be run as a process of its own. */
await runProcess(async (env, stopping) => {
  const service = await startService(
    {
      name: 'notes',
      config: z.object(serviceSettings),
      migrations: [{ name: '001_notes', sql: 'CREATE TABLE notes (id integer)' }],
      build: () => ({}),
      servers: () => ({ main: { connectionLimit: null, mount: () => undefined } }),
    },
    { env, stopping },
  );
  console.error(`listening on ${service.url}`);
  return {
    async stop() {
      await service.stop();
      console.error('stopped in order');
    },
  };
});
