import { openDatabase, sealingKeys } from '@plataforma/data';
import { ConfigError, readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { type Running, runProcess, serviceSettings } from '@plataforma/service';
import { createRowSeals, rowSealModes } from '@plataforma/tables';
import { z } from 'zod';
import { resetFactor } from './operations/reset-factor.ts';

const { DATABASE_URL, LOG_LEVEL } = serviceSettings;
const ROW_SEALS = z.enum(rowSealModes).default('require');
const config = z.object({ DATABASE_URL, LOG_LEVEL, ROW_KEYS: sealingKeys, ROW_SEALS });

/** Changes operators in the database. Administrators run this program with the environment of the service. */
async function run(env: NodeJS.ProcessEnv): Promise<Running> {
  const [command, email, ...others] = process.argv.slice(2);
  if (command !== 'reset-factor' || !email || others.length > 0)
    throw new ConfigError('usage: operator.ts reset-factor <email>');
  const { DATABASE_URL: url, LOG_LEVEL: level, ROW_KEYS: keys, ROW_SEALS: mode } = readConfig(config, env);
  const log = createLog({ service: 'gateway', level });
  const database = openDatabase({ url, poolSize: 2, log, seals: createRowSeals({ keys, mode, log }) });
  const isReset = await resetFactor(database, email).finally(() => database.close());
  if (!isReset) throw new ConfigError('no operator with a valid seal has this e-mail address');
  process.stdout.write(
    'the second factor and the passkeys are removed, and the sessions are ended; the next log-in enrols\n',
  );
  return { stop: async () => {} };
}

await runProcess(run);
