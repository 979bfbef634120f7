import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findInfrastructure, type Infrastructure } from '@plataforma/local';
import {
  dropTestDatabases,
  prepareClaims,
  VHOSTS_PER_FILE,
  writeBrokerFile,
} from '@plataforma/testing/runner/test-database';
import { newTestFolder } from '@plataforma/testing/runner/test-folders';

const WORKERS = 2;

const brokerFileIn = (dataDir: string) => join(dataDir, 'broker.json');

/** PostgreSQL and RabbitMQ, which stay in use for several runs of jest. */
export interface Servers {
  environment(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

export function servers(): Servers {
  let running: (Infrastructure & { dataDir: string }) | undefined;

  async function start() {
    const dataDir = await newTestFolder();
    await chmod(dataDir, 0o711);
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const vhosts = WORKERS * VHOSTS_PER_FILE;
    const options = { dataDir, vhosts, isDurable: false, say };
    const infrastructure = await findInfrastructure(options);
    running = { ...infrastructure, dataDir };
    await prepareClaims(running.postgres.url, vhosts);
    await writeBrokerFile(brokerFileIn(dataDir), { url: running.rabbitmq.url });
    return running;
  }

  async function stop() {
    await running?.stop();
    if (running) await rm(running.dataDir, { recursive: true, force: true });
    running = undefined;
  }

  return {
    async environment() {
      const { postgres, dataDir } = running ?? (await start());
      await dropTestDatabases(postgres.url);
      return { TEST_POSTGRES_URL: postgres.url, TEST_BROKER_FILE: brokerFileIn(dataDir) };
    },
    stop,
  };
}
