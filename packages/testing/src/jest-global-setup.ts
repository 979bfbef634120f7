import { chmod, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beginInfrastructure, compileCache, startPlatform } from '@plataforma/local';
import { endWithParent } from './end-with-parent.ts';
import { setInfrastructure } from './jest-infrastructure.ts';
import { offerPlatform } from './run-platform.ts';
import { prepareClaims, VHOSTS_PER_FILE, writeBrokerFile } from './test-database.ts';
import { newTestFolder, removeLeftovers } from './test-folders.ts';

/**
 * Starts the servers of a test run and publishes their addresses. The address of the broker is published
 * later in a file, because the broker starts slowly and few tests need it.
 */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  endWithParent();
  await removeLeftovers();
  const dataDir = await newTestFolder();
  // PostgreSQL may run under another account, which must have permission to enter the folder.
  await chmod(dataDir, 0o711);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const vhosts = maxWorkers * VHOSTS_PER_FILE;
  // The additional virtual host is for the platform that all test files share.
  const servers = await beginInfrastructure({ dataDir, vhosts: vhosts + 1, isDurable: false, say });
  const platform = await offerPlatform(async () => {
    const [postgres, broker] = await Promise.all([servers.postgres, servers.rabbitmq]);
    const ownFolder = join(dataDir, 'platform');
    await mkdir(ownFolder);
    return startPlatform({
      dataDir: ownFolder,
      port: null,
      web: { port: null },
      limits: 'lifted',
      postgres: { url: postgres.url, pid: null },
      rabbitmq: { url: `${broker.url}/v${vhosts}`, pid: null, hasUsers: true },
      databasePrefix: basename(dataDir),
    });
  });
  setInfrastructure({ servers, platform, dataDir });
  const brokerFile = join(dataDir, 'broker.json');
  const brokerFileWritten = servers.rabbitmq.then(
    ({ url }) => writeBrokerFile(brokerFile, { url }),
    (error: unknown) => writeBrokerFile(brokerFile, { error: String(error) }),
  );
  brokerFileWritten.catch((error: unknown) =>
    say(`The tests cannot read the address of the broker: ${error}`),
  );
  const [{ url }, cache] = await Promise.all([servers.postgres, compileCache()]);
  await prepareClaims(url, vhosts);
  process.env.TEST_POSTGRES_URL = url;
  process.env.TEST_PLATFORM_URL = platform.url;
  process.env.TEST_BROKER_FILE = brokerFile;
  process.env.TEST_COMPILE_CACHE = cache.NODE_COMPILE_CACHE ?? '';
}
