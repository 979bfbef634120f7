import { type Balancer, startBalancer } from '../balancer.ts';
import { buildPages } from '../pages.ts';
import { stopAll } from '../processes.ts';
import { recordOf } from '../record-of.ts';
import type { Addresses } from './addresses.ts';
import { type Release, type Replica, type ServiceProcess, startService } from './service-process.ts';
import {
  type ServiceName,
  type Surroundings,
  serviceNames,
  settingsOf,
  webSettingsOf,
} from './settings-of.ts';

export interface Services {
  /**
   * Each service at the address that callers use. Stop, kill and start apply to all replicas of the service.
   */
  services: Record<ServiceName, ServiceProcess>;
  replicas: Record<ServiceName, readonly Replica[]>;
  /** The process of `web`; null if the platform runs without `web`. */
  web: Replica | null;
  /**
   * Stops all processes, and rejects after the last has ended if any exits with an error or has to be killed.
   */
  stop(): Promise<void>;
}

/** The name of a service and the number of one of its replicas; numbers start at 1. */
export interface Numbered {
  name: ServiceName;
  number: number;
}

/** Receives the environment that a process would get, and returns the environment that the process gets. */
export type ChangeSettings = (
  process: Numbered,
  env: Record<string, string>,
) => Record<string, string> | Promise<Record<string, string>>;

interface ServicesOptions {
  dataDir: string;
  addresses: Addresses;
  surroundings: Surroundings;
  change?: ChangeSettings | undefined;
  releaseOf?: ((process: Numbered) => Release) | undefined;
  watched?: ServiceName | 'web' | undefined;
}

const local = (port: number) => `http://127.0.0.1:${port}`;

/**
 * Starts every replica of every service, and a balancer for each service that has several replicas. Stops
 * everything if a process fails to start.
 */
export async function startServices({
  dataDir,
  addresses,
  surroundings,
  change = (_process, env) => env,
  releaseOf,
  watched,
}: ServicesOptions): Promise<Services> {
  const balancers = await balancersOf(addresses);
  const started: [ServiceName, Promise<Replica>][] = serviceNames.flatMap((name) =>
    portsOf(addresses, name).map((own, index): [ServiceName, Promise<Replica>] => {
      const process = { name, number: index + 1 };
      const settings = async () => change(process, settingsOf(name, surroundings, own));
      const url = local(own[name]);
      const release = releaseOf && (() => releaseOf(process));
      const isWatched = name === watched && index === 0;
      return [
        name,
        settings().then((env) => startService({ ...process, dataDir, url, env, release, isWatched })),
      ];
    }),
  );
  const { hasWeb } = surroundings;
  const startedWeb = hasWeb ? startWeb(dataDir, surroundings, watched === 'web') : Promise.resolve(null);
  const stop = async () => {
    const [pages, running] = [await startedOf([startedWeb]), await startedOf(started.map(([, one]) => one))];
    await stopAll(pages)
      .finally(() => stopAll(running))
      .finally(() => stopAll(balancers));
  };
  try {
    const [web, running] = await Promise.all([
      startedWeb,
      Promise.all(started.map(async ([name, starting]) => ({ name, process: await starting }))),
    ]);
    const replicas = recordOf(serviceNames, (name) =>
      running.flatMap((each) => (each.name === name ? [each.process] : [])),
    );
    const services = recordOf(serviceNames, (name) =>
      together(local(addresses.called[name]), replicas[name]),
    );
    return { services, replicas, web, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function startWeb(dataDir: string, surroundings: Surroundings, isWatched: boolean): Promise<Replica> {
  await buildPages();
  const url = local(surroundings.ports.web);
  return startService({ name: 'web', number: 1, dataDir, url, env: webSettingsOf(surroundings), isWatched });
}

/** Waits until all starts have succeeded or failed, and returns the processes that started. */
async function startedOf(starts: readonly Promise<Replica | null>[]): Promise<Replica[]> {
  const outcomes = await Promise.allSettled(starts);
  return outcomes.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
}

/**
 * Returns the ports of each replica of a service. A service with a single replica has the port of `called` in
 * every entry of `replicas`.
 */
function portsOf({ called, replicas }: Addresses, name: ServiceName): readonly Addresses['called'][] {
  return replicas.filter((own, index) => index === 0 || own[name] !== called[name]);
}

async function balancersOf({ called, replicas }: Addresses): Promise<Balancer[]> {
  const names = (['gateway-internal', ...serviceNames] as const).filter((name) =>
    replicas.every((own) => own[name] !== called[name]),
  );
  return Promise.all(
    names.map((name) =>
      startBalancer(
        called[name],
        replicas.map((own) => local(own[name])),
      ),
    ),
  );
}

function together(url: string, replicas: readonly ServiceProcess[]): ServiceProcess {
  const all = async (action: (replica: ServiceProcess) => Promise<void>) => {
    await Promise.all(replicas.map(action));
  };
  return {
    url,
    get pid() {
      return replicas[0]?.pid ?? 0;
    },
    get exitCode() {
      return replicas.find((replica) => replica.exitCode !== null)?.exitCode ?? null;
    },
    stop: () => stopAll(replicas),
    kill: () => all((replica) => replica.kill()),
    start: (changes) => all((replica) => replica.start(changes)),
  };
}
