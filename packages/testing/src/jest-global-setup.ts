import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInfrastructure } from './infrastructure.ts';
import { keep } from './jest-infrastructure.ts';
import { prepareClaims, VHOSTS } from './test-database.ts';

const PREFIX = 'plataforma-test-';

/** Starts the servers of a test run and tells the workers where they are. */
export default async function setUp(): Promise<void> {
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // PostgreSQL may run under another account, which has to pass through.
  await chmod(dataDir, 0o711);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const infrastructure = await findInfrastructure({ dataDir, vhosts: VHOSTS, allowExternal: false, say });
  keep({ infrastructure, dataDir });
  await prepareClaims(infrastructure.postgres.url);
  process.env.TEST_POSTGRES_URL = infrastructure.postgres.url;
  process.env.TEST_AMQP_URL = infrastructure.rabbitmq.url;
}

// A run that was killed could not remove its folder.
async function removeLeftovers() {
  for (const name of await readdir(tmpdir())) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : [];
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
