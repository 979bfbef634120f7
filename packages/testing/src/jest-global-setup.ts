import { chmod } from 'node:fs/promises';
import { compileCache, findInfrastructure } from '@plataforma/local';
import { keep } from './jest-infrastructure.ts';
import { prepareClaims, VHOSTS_PER_FILE } from './test-database.ts';
import { newTestFolder, removeLeftovers } from './test-folders.ts';

/** Starts the servers of a test run and tells the workers where they are. */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  await removeLeftovers();
  const dataDir = await newTestFolder();
  // PostgreSQL may run under another account, which has to pass through.
  await chmod(dataDir, 0o711);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const vhosts = maxWorkers * VHOSTS_PER_FILE;
  const options = { dataDir, vhosts, allowExternal: false, isDurable: false, say };
  const [infrastructure] = await Promise.all([findInfrastructure(options), compileCache()]);
  keep({ infrastructure, dataDir });
  await prepareClaims(infrastructure.postgres.url, vhosts);
  process.env.TEST_POSTGRES_URL = infrastructure.postgres.url;
  process.env.TEST_AMQP_URL = infrastructure.rabbitmq.url;
}
