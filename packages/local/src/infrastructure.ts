import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dockerAnswers, startDockerPostgres, startDockerRabbitmq } from './docker.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { startPrivateRabbitmq } from './private-rabbitmq.ts';
import { type Program, stopAll } from './processes.ts';
import { MissingServer, type OwnServer, type Server } from './server.ts';

export interface FindOptions {
  /**
   * The folder with the data, ports and passwords of the servers. The next start with this folder uses the
   * same values.
   */
  readonly dataDir: string;
  /**
   * The number of RabbitMQ's virtual hosts in addition to `/`. Their names are v0, v1, …; the default is 0.
   */
  readonly vhosts?: number;
  /** The URLs of the user's own servers, if the user has any. Tests do not set these URLs. */
  readonly external?: Readonly<Partial<Record<'DATABASE_URL' | 'AMQP_URL', string | undefined>>>;
  /** False for servers whose data is discarded: PostgreSQL then does not wait for the disk. */
  readonly isDurable?: boolean;
  /** False if Docker must not be used, even if a Docker engine answers. */
  readonly docker?: boolean;
  say(line: string): void;
}

export interface Infrastructure {
  readonly postgres: { readonly url: string; readonly pid: number | null; readonly isOwn: boolean };
  /**
   * `url` is the administrator's URL. `hasUsers` is true if this module started the broker, because the
   * broker then has a user for each service.
   */
  readonly rabbitmq: { readonly url: string; readonly pid: number | null; readonly hasUsers: boolean };
  /** The programs of the servers that this process has started as child processes. */
  readonly programs: readonly Program[];
  /** Stops the servers; rejects if a server exits with an error or has to be killed. */
  stop(): Promise<void>;
}

interface Kind {
  readonly name: string;
  readonly variable: 'DATABASE_URL' | 'AMQP_URL';
  /** A command with which the user can run the server. The error for a missing server quotes the command. */
  readonly example: string;
  readonly dir: string;
  inDocker(): Promise<Server>;
  onMachine(): Promise<OwnServer>;
}

/** The two servers, which may still be starting. Each promise rejects if its server is not available. */
export interface Starting {
  readonly postgres: Promise<Server | OwnServer>;
  readonly rabbitmq: Promise<Server | OwnServer>;
  /**
   * Waits until both servers have started, and stops them. Rejects if a server exits with an error or has to
   * be killed.
   */
  stop(): Promise<void>;
  /**
   * Kills the servers at once, even if they are still starting. Tests use it when the data of the servers is
   * no longer needed.
   */
  discard(): Promise<void>;
}

/** Finds PostgreSQL and RabbitMQ, or begins to start them in parallel, and returns before they are ready. */
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

/**
 * Returns an object that reads the server's pid at each access, because the pid changes when the server
 * restarts.
 */
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
  // If an earlier start ran the server without Docker, its data is in this folder and the server does not
  // move to Docker.
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
Start a Docker engine and try again, or set the address of your own server, for example:
  ${example}`;
