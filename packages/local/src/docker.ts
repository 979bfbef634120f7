import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MAX_MESSAGE_BYTES } from '@plataforma/events';
import type { GenericContainer } from 'testcontainers';
import { brokerUrl, definitions } from './broker-users.ts';
import { flagsOf, probePostgres, serverSettings } from './embedded-postgres.ts';
import { probeRabbitmq } from './private-rabbitmq.ts';
import type { Server } from './server.ts';
import { recallSettings, rememberSettings } from './settings.ts';
import { eventually } from './wait.ts';

const POSTGRES_IMAGE = 'postgres:18';
const RABBITMQ_IMAGE = 'rabbitmq:4';
const PROBE_TIMEOUT_MS = 1000;
const START_TIMEOUT_MS = 120_000;

export interface DockerOptions {
  readonly dir: string;
  /**
   * True if the data is in a named volume, which outlives the container. A container that an earlier start
   * left running is then used again.
   */
  readonly keepData: boolean;
}

/**
 * Returns true if a Docker engine answers. The request uses plain HTTP, because loading a Docker client takes
 * longer.
 */
export async function dockerAnswers(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const address = engineAddress();
  if (!address) return false;
  const ping = request({ ...address, path: '/_ping', timeout: PROBE_TIMEOUT_MS }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  ping.on('timeout', () => ping.destroy());
  ping.on('error', () => resolve(false));
  ping.on('close', () => resolve(false));
  ping.end();
  return promise;
}

function engineAddress() {
  const host = process.env.DOCKER_HOST;
  if (host?.startsWith('tcp://')) {
    const { hostname, port } = new URL(host);
    return { host: hostname, port };
  }
  const sockets = host
    ? [host.replace('unix://', '')]
    : [
        '/var/run/docker.sock',
        join(process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.()}`, 'docker.sock'),
        join(homedir(), '.docker', 'run', 'docker.sock'),
        join(homedir(), '.docker', 'desktop', 'docker.sock'),
      ];
  const socketPath = sockets.find((path) => existsSync(path));
  return socketPath ? { socketPath } : null;
}

export async function startDockerPostgres(options: DockerOptions & { isDurable: boolean }): Promise<Server> {
  const { container, password, volume } = await prepare(POSTGRES_IMAGE, options);
  const started = await container
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', ...flagsOf(serverSettings(options.isDurable))])
    .withExposedPorts(5432)
    .withBindMounts(volume('/var/lib/postgresql'))
    .start();
  const url = `postgres://postgres:${password}@${started.getHost()}:${started.getMappedPort(5432)}/postgres`;
  await eventually(() => probePostgres(url), { timeoutMs: START_TIMEOUT_MS });
  return inContainer(url, started);
}

export async function startDockerRabbitmq(options: DockerOptions & { vhosts: number }): Promise<Server> {
  const { container, password, volume } = await prepare(RABBITMQ_IMAGE, options);
  const definitionsFile = '/etc/rabbitmq/plataforma.json';
  const started = await container
    .withCopyContentToContainer([
      {
        content: definitions(password, { vhosts: options.vhosts, withTopology: false }),
        target: definitionsFile,
      },
      {
        content: `load_definitions = ${definitionsFile}\nmax_message_size = ${MAX_MESSAGE_BYTES}\n`,
        target: '/etc/rabbitmq/conf.d/20-plataforma.conf',
      },
    ])
    .withHostname('plataforma')
    .withExposedPorts(5672)
    .withBindMounts(volume('/var/lib/rabbitmq'))
    .start();
  const url = brokerUrl(`${started.getHost()}:${started.getMappedPort(5672)}`, password);
  await eventually(() => probeRabbitmq(url), { timeoutMs: START_TIMEOUT_MS });
  return inContainer(url, started);
}

async function prepare(image: string, { dir, keepData }: DockerOptions) {
  await mkdir(dir, { recursive: true });
  const settings = await recallSettings(dir);
  await rememberSettings(dir, settings);
  const { GenericContainer } = await import('testcontainers');
  const name = `plataforma-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`;
  const container: GenericContainer = new GenericContainer(image).withStartupTimeout(START_TIMEOUT_MS);
  if (keepData) container.withName(name).withReuse();
  const volume = (target: string) => (keepData ? [{ source: name, target }] : []);
  return { container, password: settings.password, volume };
}

function inContainer(
  url: string,
  started: { stop(options?: { timeout: number }): Promise<unknown> },
): Server {
  let stopped: Promise<unknown> | undefined;
  const stop = (timeout: number) => async () => {
    stopped ??= started.stop({ timeout });
    await stopped;
  };
  return { url, pid: null, stop: stop(10_000), kill: stop(0) };
}
