import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { beginInfrastructure, compileCache } from '@plataforma/local';
import { keep } from './jest-infrastructure.ts';
import { prepareClaims, VHOSTS_PER_FILE, writeBrokerFile } from './test-database.ts';
import { newTestFolder, removeLeftovers } from './test-folders.ts';

/** Starts the servers of a test run and says where they are; the broker takes seconds, and only some files need it. */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  await removeLeftovers();
  const dataDir = await newTestFolder();
  // PostgreSQL may run under another account, which has to pass through.
  await chmod(dataDir, 0o711);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const vhosts = maxWorkers * VHOSTS_PER_FILE;
  const servers = await beginInfrastructure({ dataDir, vhosts, isDurable: false, say });
  keep({ servers, dataDir });
  const brokerFile = join(dataDir, 'broker.json');
  const brokerIsKnown = servers.rabbitmq.then(
    ({ url }) => writeBrokerFile(brokerFile, { url }),
    (error: unknown) => writeBrokerFile(brokerFile, { error: String(error) }),
  );
  brokerIsKnown.catch((error: unknown) => say(`No test will know of the broker: ${error}`));
  const [{ url }, cache] = await Promise.all([servers.postgres, compileCache()]);
  await prepareClaims(url, vhosts);
  process.env.TEST_POSTGRES_URL = url;
  process.env.TEST_BROKER_FILE = brokerFile;
  process.env.TEST_COMPILE_CACHE = cache.NODE_COMPILE_CACHE ?? '';
}
