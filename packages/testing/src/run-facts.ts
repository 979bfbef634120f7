import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import amqp from 'amqplib';
import { rowsAt } from './with-database.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const GIB = 1024 ** 3;

export interface ServerVersions {
  postgres: string;
  rabbitmq: string;
}

/**
 * Returns the day, the commit and the machine of a run. Programs call this function when the run starts,
 * because the repository may get a new commit during the run.
 */
export async function runFacts(): Promise<string> {
  const processors = cpus();
  return [
    new Date().toISOString().slice(0, 10),
    await commit(),
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'})`,
    `${(totalmem() / GIB).toFixed(0)} GB of memory`,
    `Node ${process.versions.node}`,
  ].join(', ');
}

export async function serverVersions(postgresUrl: string, rabbitmqUrl: string): Promise<ServerVersions> {
  const rows = await rowsAt<{ server_version: string }>(postgresUrl, 'SHOW server_version');
  const connection = await amqp.connect(rabbitmqUrl);
  connection.on('error', () => {});
  const { version } = connection.connection.serverProperties;
  await connection.close();
  return { postgres: rows[0]?.server_version ?? 'unknown', rabbitmq: version };
}

export const namesOf = ({ postgres, rabbitmq }: ServerVersions) =>
  `PostgreSQL ${postgres}, RabbitMQ ${rabbitmq}`;

/**
 * Lists the changes since the commit. Changes of Markdown files are left out, because they do not affect a
 * measurement.
 */
const CHANGES = ['status', '--porcelain', '--untracked-files=no', '--', ':(exclude)*.md'];

async function commit(): Promise<string> {
  const git = async (args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: REPOSITORY })).stdout.trim();
  try {
    const name = await git(['rev-parse', '--short', 'HEAD']);
    const changes = await git(CHANGES);
    return `commit ${name}${changes === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown commit';
  }
}
