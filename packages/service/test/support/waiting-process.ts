import { migrateOnStart, openDatabase } from '@plataforma/data';
import { startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { z } from 'zod';
import { createStartRetry, runProcess, serviceSettings } from '../../src/index.ts';

/** A service with one table, which starts as every service does; to be run as a process of its own. */
await runProcess(async (env, stopping) => {
  const config = readConfig(z.object(serviceSettings), env);
  const log = createLog({ service: 'notes', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  const migrations = [{ name: '001_notes', sql: 'CREATE TABLE notes (id integer)' }];
  await retry(() => migrateOnStart(config, migrations, 'notes'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const server = await startHttpServer({
    ...{ log, host: config.HOST, port: config.PORT },
    needs: { database: () => database.query('SELECT id FROM notes') },
    mount: () => undefined,
  });
  console.error(`listening on ${server.url}`);
  return {
    async stop() {
      await server.stop();
      await database.close();
      console.error('stopped in order');
    },
  };
});
