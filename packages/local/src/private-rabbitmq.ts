import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_MESSAGE_BYTES } from '@plataforma/events';
import { declareTopology } from '@plataforma/messaging';
import amqp, { type ChannelModel } from 'amqplib';
import { brokerUrl, definitions } from './broker-users.ts';
import { stopOrphan } from './orphans.ts';
import { freePorts } from './ports.ts';
import { launch, pidOf, type RunningProcess, waitUntilReady } from './processes.ts';
import type { OwnServer } from './server.ts';
import { recallSettings, rememberSettings } from './settings.ts';
import { findRabbitmq } from './unpacked-rabbitmq.ts';

const BROKER = 'rabbitmq';
const PORT_MAPPER = 'epmd';
/** A path relative to the broker's data folder, which is its working directory. */
const DEFINITIONS = 'definitions.json';
/** A start usually takes seconds, but it can take minutes on a busy machine. */
const START_TIMEOUT_MS = 300_000;

export interface RabbitmqOptions {
  readonly dir: string;
  /** The number of virtual hosts in addition to `/`. Their names are v0, v1, …. */
  readonly vhosts: number;
  say(line: string): void;
  /** An abort of this signal kills the broker, even while the broker starts. */
  readonly discarding?: AbortSignal;
}

export interface RabbitmqServer extends OwnServer {
  /** Runs `rabbitmqctl` on the broker and returns its output. */
  control(...args: string[]): Promise<string>;
}

/**
 * Starts a RabbitMQ node with its data in `dir`. The node listens on loopback ports that stay the same at
 * later starts.
 */
export async function startPrivateRabbitmq({
  dir,
  vhosts,
  say,
  discarding,
}: RabbitmqOptions): Promise<RabbitmqServer> {
  const { server, erlangBin } = await findRabbitmq(say);
  await mkdir(join(dir, 'home'), { recursive: true });
  await stopOrphan(dir, BROKER, 'SIGTERM');
  await stopOrphan(dir, PORT_MAPPER, 'SIGTERM');
  const { password, ports: wishes } = await recallSettings(dir);
  const ports = await freePorts([0, 1, 2].map((index) => wishes[index] ?? null));
  await rememberSettings(dir, { password, ports });
  const [port = 0, mapperPort = 0, distributionPort = 0] = ports;
  await writeFile(join(dir, DEFINITIONS), definitions(password, { vhosts, withTopology: false }), {
    mode: 0o600,
  });
  // Removes the configuration file that an earlier release wrote, because RabbitMQ would read it.
  await rm(join(dir, 'rabbitmq.conf'), { force: true });
  await writeFile(join(dir, 'advanced.config'), configuration(port));

  const env = environment({ dir, erlangBin, mapperPort, distributionPort });
  const common = { dir, env, stopSignal: 'SIGTERM' } as const;
  const mapperArgs = ['-port', String(mapperPort), '-address', '127.0.0.1'];
  const launchMapper = () =>
    launch({ ...common, name: PORT_MAPPER, command: join(erlangBin, 'epmd'), args: mapperArgs });
  let mapper = launchMapper();
  const launchBroker = () => {
    if (mapper.hasExited()) mapper = launchMapper();
    return launch({ ...common, name: BROKER, command: server, args: [] });
  };
  const url = brokerUrl(`127.0.0.1:${port}`, password);
  const lastVhost = vhosts > 0 ? `${url}/v${vhosts - 1}` : url;
  const kill = async () => void (await Promise.all([broker.kill(), mapper.kill()]));
  let broker: RunningProcess;

  async function start(): Promise<void> {
    broker = launchBroker();
    try {
      await waitUntilReady(broker, () => probeRabbitmq(lastVhost), START_TIMEOUT_MS);
    } catch (error) {
      await mapper.stop();
      throw error;
    }
  }

  discarding?.throwIfAborted();
  const starting = start();
  discarding?.addEventListener('abort', () => void kill());
  await starting;
  const program = {
    get running() {
      return broker;
    },
    launch() {
      broker = launchBroker();
    },
  };
  return {
    url,
    program,
    get pid() {
      return pidOf(program);
    },
    async stop() {
      // The port mapper (epmd) is stopped after the broker. SIGTERM ends it at once, which loses no work.
      await broker.stop().finally(() => mapper.stop());
    },
    kill,
    start,
    async control(...args) {
      const tool = join(dirname(server), 'rabbitmqctl');
      return (await promisify(execFile)(tool, ['--quiet', ...args], { cwd: dir, env })).stdout;
    },
  };
}

/** Starts a broker for one test. A queue survives `kill` only if it is at least about five seconds old. */
export function startPrivateBroker(dir: string): Promise<RabbitmqServer> {
  return startPrivateRabbitmq({ dir, vhosts: 0, say: () => {} });
}

export function probeRabbitmq(url: string): Promise<void> {
  return withBroker(url, async () => undefined);
}

/**
 * Declares the exchanges and queues that are missing. The URL must contain the administrator's name and
 * password.
 */
export function prepareRabbitmq(url: string): Promise<void> {
  return withBroker(url, declareTopology);
}

async function withBroker(url: string, work: (connection: ChannelModel) => Promise<void>): Promise<void> {
  const connection = await amqp.connect(url, { timeout: 2000 });
  connection.on('error', () => {});
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Returns the configuration in Erlang's format. With the file `rabbitmq.conf` instead, RabbitMQ would
 * translate the file for half a second at each start.
 */
function configuration(port: number) {
  return `[{rabbit, [
  {tcp_listeners, [{"127.0.0.1", ${port}}]},
  {load_definitions, "${DEFINITIONS}"},
  {max_message_size, ${MAX_MESSAGE_BYTES}},
  {vm_memory_high_watermark, {absolute, "1GiB"}},
  {disk_free_limit, "64MB"}
]}].
`;
}

interface Node {
  readonly dir: string;
  readonly erlangBin: string;
  readonly mapperPort: number;
  readonly distributionPort: number;
}

// Returns an environment in which all paths and ports belong to this node alone. Nodes on one machine would
// otherwise share some of the default paths and ports.
function environment({ dir, erlangBin, mapperPort, distributionPort }: Node) {
  return {
    PATH: `${erlangBin}:/usr/local/bin:/usr/bin:/bin`,
    LC_ALL: 'C.UTF-8',
    HOME: join(dir, 'home'),
    ERL_EPMD_PORT: String(mapperPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // The name may be the same for every node, because each node has its own port mapper. The name must not
    // change, because the path of the data contains it.
    RABBITMQ_NODENAME: 'plataforma@localhost',
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq'),
    RABBITMQ_CONF_ENV_FILE: join(dir, 'env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'home', 'config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_PID_FILE: join(dir, 'broker.pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    // With this setting the start script becomes the broker's process, which stops in order on SIGTERM.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}
