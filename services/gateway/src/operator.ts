import { openDatabase } from '@plataforma/data';
import { ConfigError, readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { type Running, runProcess, serviceSettings } from '@plataforma/service';
import { z } from 'zod';
import { resetFactor } from './operations/reset-factor.ts';

const { DATABASE_URL, LOG_LEVEL } = serviceSettings;
const config = z.object({ DATABASE_URL, LOG_LEVEL });

/** Changes operators in the database. Administrators run this program with the service's `DATABASE_URL`. */
async function run(env: NodeJS.ProcessEnv): Promise<Running> {
  const [command, email, ...others] = process.argv.slice(2);
  if (command !== 'reset-factor' || !email || others.length > 0)
    throw new ConfigError('usage: operator.ts reset-factor <email>');
  const { DATABASE_URL: url, LOG_LEVEL: level } = readConfig(config, env);
  const database = openDatabase({ url, poolSize: 2, log: createLog({ service: 'gateway', level }) });
  const isReset = await resetFactor(database, email).finally(() => database.close());
  if (!isReset) throw new ConfigError('no operator has this e-mail address');
  process.stdout.write('the second factor is removed, and the sessions are ended; the next log-in enrols\n');
  return { stop: async () => {} };
}

await runProcess(run);
