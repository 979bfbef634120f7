import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type DatabaseUrls, type Release, type ServiceName, serviceNames } from '@plataforma/testing';
import { z } from 'zod';
import type { Dice } from '../dice.ts';
import { insideEnvironment } from '../inside/environment.ts';
import type { Mutation } from '../mutation.ts';
import type { Link } from '../network/link.ts';
import { openPostOffice, type PostOffice } from '../network/post-office.ts';
import { rewire } from './rewire.ts';

/** The older release with which all services except the sandbox provider start. */
export interface OldRelease {
  root: string;
  /** The time in milliseconds for which a stopping process still accepts requests. */
  drainMs: number;
  bankSettings: Record<string, string>;
}

export interface ProcessOptions {
  dataDir: string;
  dice: Dice;
  mutation?: Mutation | undefined;
  from?: OldRelease | undefined;
}

export interface Numbered {
  name: ServiceName;
  number: number;
}

export interface Processes {
  readonly links: Link[];
  readonly offices: PostOffice[];
  /** The database URL of each service with the service's login. These URLs bypass the links. */
  readonly serviceUrls: Map<ServiceName, string>;
  settings(process: Numbered, env: Record<string, string>): Promise<Record<string, string>>;
  releaseOf(process: Numbered): Release;
  /** Makes the process run the code of this repository from its next start on. */
  renew(process: Numbered): void;
  /** Migrates all databases to the schema of the release with which the platform starts. */
  migrateFirst(urls: DatabaseUrls<ServiceName>): Promise<unknown>;
  /** Migrates a service's database to this repository's schema. Returns the migrations that ran. */
  migrate(service: ServiceName): Promise<string[]>;
}

const here = fileURLToPath(new URL('../../../../..', import.meta.url));
const BANK: ServiceName = 'sandbox-psp';
const keyOf = ({ name, number }: Numbered) => `${name}-${number}`;

export function processesOf({ dataDir, dice, mutation, from }: ProcessOptions): Processes {
  const [links, offices]: [Link[], PostOffice[]] = [[], []];
  const serviceUrls = new Map<ServiceName, string>();
  const renewed = new Set<string>();
  /** The URLs of the databases, which bypass the links. */
  let databases: DatabaseUrls<ServiceName> | undefined;
  const migrate = (service: ServiceName, root: string) => {
    if (!databases) throw new Error('the databases are not created yet');
    return migrateIn(root, service, databases);
  };

  /** Makes the provider send its callbacks to the proxy for callbacks. */
  async function throughPostOffice(env: Record<string, string>) {
    const gateway = new URL(/https?:[^"]*\/callbacks\//.exec(env.CLIENTS ?? '')?.[0] ?? '').origin;
    const office = await openPostOffice({ gatewayUrl: gateway, dice: dice.named('post office') });
    offices.push(office);
    const clients = (env.CLIENTS ?? '').replaceAll(gateway, office.url);
    return { ...env, ...from?.bankSettings, CLIENTS: clients };
  }

  return {
    links,
    offices,
    serviceUrls,
    async settings(process, env) {
      const { name } = process;
      if (env.DATABASE_URL) serviceUrls.set(name, env.DATABASE_URL);
      if (name === BANK) return throughPostOffice(env);
      const wired = await rewire(keyOf(process), env);
      links.push(...wired.links);
      return {
        ...wired.env,
        // An older release signs neither events nor orders, so unsigned messages and rows may remain.
        ...(from && { EVENT_SIGNATURES: 'accept', ROW_SEALS: 'accept', ORDER_SIGNATURES: 'accept' }),
        // With this setting, some changes need two operators. Older releases have no proposals.
        ...(name === 'gateway' && !from && { SINGLE_OPERATOR: 'false' }),
        // Makes the gateway trust the `x-forwarded-for` header, in which each buyer sends its own address.
        ...(name === 'gateway' && { TRUSTED_PROXIES: '127.0.0.1/32' }),
      };
    },
    releaseOf(process) {
      if (process.name === BANK) return { root: here, env: {} };
      const isOld = from !== undefined && !renewed.has(keyOf(process));
      const root = isOld ? from.root : here;
      const inside = insideEnvironment({ ...filesOf(dataDir, process), mutation: mutation?.name, root });
      return { root, env: { ...inside, ...(isOld && { NODE_COMPILE_CACHE: join(root, '.compile-cache') }) } };
    },
    renew: (process) => void renewed.add(keyOf(process)),
    migrateFirst(urls) {
      databases = urls;
      return Promise.all(
        serviceNames.map((name) => migrate(name, name === BANK ? here : (from?.root ?? here))),
      );
    },
    migrate: (service) => migrate(service, here),
  };
}

export function filesOf(dataDir: string, process: Numbered) {
  const fileOf = (what: string) => join(dataDir, `${keyOf(process)}.${what}`);
  return { failPointsFile: fileOf('fail-points'), clockFile: fileOf('clock') };
}

const upToDate = z.object({ ran: z.array(z.string()) });

/** Runs the migrations of a service with the same command that operators use. */
async function migrateIn(
  root: string,
  service: ServiceName,
  { owner, application }: DatabaseUrls<ServiceName>,
): Promise<string[]> {
  const urls = { DATABASE_URL: application[service], MIGRATION_DATABASE_URL: owner[service] };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'services', service, 'src', 'migrate.ts')],
    { env: { PATH: process.env.PATH ?? '', ...urls } },
  );
  const lines = stdout.split('\n').filter((line) => line.includes('"ran"'));
  return lines.flatMap((line) => upToDate.parse(JSON.parse(line)).ran);
}
