import { createSecretBox, openDatabase, recordSealingKey } from '@plataforma/data';
import { readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { type Running, runProcess } from '@plataforma/service';
import { createRowSeals } from '@plataforma/tables';
import { webhooksConfig } from './config.ts';
import { resealSecrets } from './operations/reseal-secrets.ts';

/**
 * Encrypts all secrets with the first key. Prints how many were encrypted and how many still have an older
 * key. Operators run this program with the service's environment variables.
 */
async function reseal(env: NodeJS.ProcessEnv): Promise<Running> {
  const config = readConfig(webhooksConfig, env);
  const log = createLog({ service: 'webhooks', level: config.LOG_LEVEL });
  const seals = createRowSeals({ keys: config.ROW_KEYS, mode: config.ROW_SEALS, log });
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: 2, log, seals });
  const secretBox = createSecretBox(config.WEBHOOK_SECRET_KEYS);
  const keyIds = config.WEBHOOK_SECRET_KEYS.map(({ id }) => id);
  const [{ id: first }] = config.WEBHOOK_SECRET_KEYS;
  await recordSealingKey(database, first);
  const { resealed, left } = await resealSecrets({ database, secretBox, keyIds, log });
  await database.close();
  process.stdout.write(`sealed anew with ${first}: ${resealed}; left under older keys: ${left}\n`);
  if (left > 0) process.exitCode = 1;
  return { stop: async () => {} };
}

await runProcess(reseal);
