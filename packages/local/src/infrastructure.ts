import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dockerAnswers, startDockerPostgres, startDockerRabbitmq } from './docker.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { startPrivateRabbitmq } from './private-rabbitmq.ts';
import { type Program, stopAll } from './processes.ts';
import { MissingServer, type OwnServer, type Server } from './server.ts';

export interface FindOptions {
  /** The folder of the servers' data, ports and passwords, which the next start uses again. */
  readonly dataDir: string;
  /** The number of RabbitMQ's virtual hosts besides `/`, named v0, v1, …; none by default. */
  readonly vhosts?: number;
  /** The user's own servers, if any. Tests leave this out. */
  readonly external?: Readonly<Partial<Record<'DATABASE_URL' | 'AMQP_URL', string | undefined>>>;
  /** False for servers whose data is discarded, so that PostgreSQL does not wait for the disk. */
  readonly isDurable?: boolean;
  /** False to leave Docker out, even if an engine answers. */
  readonly docker?: boolean;
  say(line: string): void;
}

export interface Infrastructure {
  readonly postgres: { readonly url: string; readonly pid: number | null; readonly isOwn: boolean };
  /**
   * `url` is the administrator's. `hasUsers` is true if this code started the broker, because it then has a
   * user for each service.
   */
  readonly rabbitmq: { readonly url: string; readonly pid: number | null; readonly hasUsers: boolean };
  /** The servers that run as processes of this machine. */
  readonly programs: readonly Program[];
  /** Rejects if a server did not stop in order. */
  stop(): Promise<void>;
}

interface Kind {
  readonly name: string;
  readonly variable: 'DATABASE_URL' | 'AMQP_URL';
  /** A command that runs such a server, for the message when none is found. */
  readonly example: string;
  readonly dir: string;
  inDocker(): Promise<Server>;
  onMachine(): Promise<OwnServer>;
}

/** Servers that may still be starting; each promise rejects if its server is unavailable. */
export interface Starting {
  readonly postgres: Promise<Server | OwnServer>;
  readonly rabbitmq: Promise<Server | OwnServer>;
  /** Waits for both starts, then stops. Rejects if a server did not stop in order. */
  stop(): Promise<void>;
  /** Kills the servers at once, even while they start, because their data is discarded. */
  discard(): Promise<void>;
}

/** Finds PostgreSQL and RabbitMQ, or begins to start both in parallel. */
export async function beginInfrastructure(options: FindOptions): Promise<Starting> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const docker = options.docker === false ? Promise.resolve(false) : dockerAnswers();
  const postgres = find(postgresKind(dataDir, options), options, docker);
  const discarding = new AbortController();
  const rabbitmq = find(rabbitmqKind(dataDir, options, discarding.signal), options, docker);
  const outcomes = Promise.allSettled([postgres, rabbitmq]);
  const started = async () =>
    (await outcomes).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return {
    postgres,
    rabbitmq,
    stop: async () => stopAll(await started()),
    async discard() {
      discarding.abort();
      await Promise.all((await started()).map((server) => server.kill()));
    },
  };
}

/** Finds or starts PostgreSQL and RabbitMQ, and waits for both. */
export async function findInfrastructure(options: FindOptions): Promise<Infrastructure> {
  const { stop, ...starting } = await beginInfrastructure(options);
  try {
    const servers = await Promise.all([starting.postgres, starting.rabbitmq]);
    const programs = servers.flatMap((server) => ('program' in server ? [server.program] : []));
    const [postgres, rabbitmq] = servers;
    const { DATABASE_URL, AMQP_URL } = options.external ?? {};
    return {
      postgres: address(postgres, { isOwn: !DATABASE_URL }),
      rabbitmq: address(rabbitmq, { hasUsers: !AMQP_URL }),
      programs,
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Reads the pid at each access, because a restarted server has a new one. */
function address<More extends object>(server: Server, more: More) {
  const common = {
    url: server.url,
    get pid() {
      return server.pid;
    },
  };
  return Object.assign(common, more);
}

async function find(kind: Kind, options: FindOptions, docker: Promise<boolean>): Promise<Server | OwnServer> {
  const url = options.external?.[kind.variable];
  if (url) return { url, pid: null, stop: async () => {}, kill: async () => {} };
  // A server with data on this machine stays on it, even if Docker is available now.
  if (!existsSync(kind.dir) && (await docker)) {
    try {
      return await kind.inDocker();
    } catch (error) {
      options.say(`${kind.name} does not start in Docker: ${error instanceof Error ? error.message : error}`);
    }
  }
  try {
    return await kind.onMachine();
  } catch (error) {
    if (error instanceof MissingServer) throw new MissingServer(advice(kind, error.message));
    throw error;
  }
}

function postgresKind(dataDir: string, { external, isDurable = true }: FindOptions): Kind {
  const dir = join(dataDir, 'postgres');
  const docker = { dir: join(dataDir, 'docker-postgres'), keepData: external !== undefined, isDurable };
  return {
    name: 'PostgreSQL',
    variable: 'DATABASE_URL',
    example: `docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=secret postgres:18
  DATABASE_URL=postgres://postgres:secret@127.0.0.1:5432/postgres npm start`,
    dir,
    inDocker: () => startDockerPostgres(docker),
    onMachine: () => startEmbeddedPostgres(dir, { isDurable }),
  };
}

function rabbitmqKind(
  dataDir: string,
  { external, vhosts = 0, say }: FindOptions,
  discarding: AbortSignal,
): Kind {
  const dir = join(dataDir, 'rabbitmq');
  const docker = { dir: join(dataDir, 'docker-rabbitmq'), keepData: external !== undefined, vhosts };
  return {
    name: 'RabbitMQ',
    variable: 'AMQP_URL',
    example: `docker run -d -p 5672:5672 rabbitmq:4
  AMQP_URL=amqp://guest:guest@127.0.0.1:5672 npm start`,
    dir,
    inDocker: () => startDockerRabbitmq(docker),
    onMachine: () => startPrivateRabbitmq({ dir, vhosts, say, discarding }),
  };
}

const advice = ({ name, example }: Kind, reason: string) =>
  `${name}: ${reason.trim()}
Start a Docker engine and try again, or name a server of your own, for example:
  ${example}`;
