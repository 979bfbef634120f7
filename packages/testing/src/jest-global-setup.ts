import { chmod, glob } from 'node:fs/promises';
import { findInfrastructure } from '@plataforma/local';
import { keep } from './jest-infrastructure.ts';
import { ALL_VHOSTS, prepareClaims, VHOSTS_PER_FILE } from './test-database.ts';
import { newTestFolder, removeLeftovers } from './test-folders.ts';

interface Run {
  rootDir: string;
  /** What the test files' paths must match, if anything was said of them. */
  nonFlagArgs: readonly string[];
}

/** Starts the servers of a test run and tells the workers where they are. */
export default async function setUp(run: Run): Promise<void> {
  await removeLeftovers();
  const dataDir = await newTestFolder();
  // PostgreSQL may run under another account, which has to pass through.
  await chmod(dataDir, 0o711);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const vhosts = await vhostsFor(run);
  const infrastructure = await findInfrastructure({ dataDir, vhosts, allowExternal: false, say });
  keep({ infrastructure, dataDir });
  await prepareClaims(infrastructure.postgres.url, vhosts);
  process.env.TEST_POSTGRES_URL = infrastructure.postgres.url;
  process.env.TEST_AMQP_URL = infrastructure.rabbitmq.url;
}

/** The broker takes long to start with as many as a run of all files needs; who runs a few files does not wait for that. */
async function vhostsFor({ rootDir, nonFlagArgs }: Run): Promise<number> {
  if (nonFlagArgs.length === 0) return ALL_VHOSTS;
  const wanted = nonFlagArgs.map((text) => new RegExp(text, 'i'));
  let files = 0;
  for await (const path of glob('{packages,services}/*/test/**/*.test.ts', { cwd: rootDir }))
    if (wanted.some((pattern) => pattern.test(`${rootDir}/${path}`))) files += 1;
  return Math.min(ALL_VHOSTS, files * VHOSTS_PER_FILE);
}
