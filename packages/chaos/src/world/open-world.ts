import { join } from 'node:path';
import {
  bankOf,
  type ServiceName,
  serviceNames,
  startPlatform,
  startPrivateBroker,
  startPrivatePostgres,
} from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import { execute } from '../faults/database.ts';
import { insideEnvironment } from '../inside/environment.ts';
import type { Mutation } from '../mutations.ts';
import type { Link } from '../network/link.ts';
import { openPostOffice, type PostOffice } from '../network/post-office.ts';
import { rewire } from './rewire.ts';
import type { Replica, World } from './world.ts';

export interface OpenWorld extends World {
  stop(): Promise<void>;
}

interface WorldOptions {
  /** An empty folder. */
  dataDir: string;
  dice: Dice;
  /** A guard that is taken away. */
  mutation?: Mutation | undefined;
}

const REPLICAS = 2;

/** Starts PostgreSQL, RabbitMQ and two replicas of every service, all of them new. */
export async function openWorld({ dataDir, dice, mutation }: WorldOptions): Promise<OpenWorld> {
  const [postgres, broker] = await Promise.all([
    startPrivatePostgres(join(dataDir, 'postgres')),
    startPrivateBroker(join(dataDir, 'rabbitmq')),
  ]);
  const links: Link[] = [];
  const offices: PostOffice[] = [];
  const stopOutside = async () => {
    await Promise.all([...links, ...offices].map((each) => each.stop()));
    await Promise.all([postgres.stop(), broker.stop()]);
  };

  async function settings(process: { name: ServiceName; number: number }, env: Record<string, string>) {
    const { name, number } = process;
    if (name === 'sandbox-psp') return throughPostOffice(env);
    const wired = await rewire(`${name}-${number}`, env);
    links.push(...wired.links);
    const inside = insideEnvironment({ ...filesOf(dataDir, process), mutation: mutation?.name });
    return { ...wired.env, ...inside };
  }

  /** The bank tells us through the post office, in whatever state that is. */
  async function throughPostOffice(env: Record<string, string>) {
    const gateway = new URL(/https?:[^"]*\/callbacks\//.exec(env.CLIENTS ?? '')?.[0] ?? '').origin;
    const office = await openPostOffice({ gatewayUrl: gateway, dice: dice.named('post office') });
    offices.push(office);
    return { ...env, CLIENTS: (env.CLIENTS ?? '').replaceAll(gateway, office.url) };
  }

  try {
    const platform = await startPlatform({
      ...{
        dataDir,
        port: null,
        replicas: REPLICAS,
        drainMs: 0,
        logLevel: 'info',
        limits: 'lifted',
        settings,
      },
      postgres: { url: postgres.url, pid: postgres.pid },
      rabbitmq: { url: broker.url, pid: broker.pid },
    });
    const [postOffice] = offices;
    if (!postOffice) throw new Error('the bank was not told of the post office');
    for (const { service, statement } of mutation?.sql ?? []) {
      await execute(platform.databaseUrls[service], statement);
    }
    const replicas = serviceNames.flatMap((service) =>
      platform.replicas[service].map((process, index): Replica => {
        const number = index + 1;
        return { service, number, process, ...filesOf(dataDir, { name: service, number }), deaths: [] };
      }),
    );
    // They came in the order in which processes happened to start, and dice must find the same ones again.
    links.sort((left, right) => left.name.localeCompare(right.name));
    return {
      ...{ platform, postgres, broker, brokerUrl: broker.url, replicas, links, postOffice, dataDir },
      bank: bankOf(platform.facts),
      poison: new Set(),
      async stop() {
        await platform.stop().finally(stopOutside);
      },
    };
  } catch (error) {
    await stopOutside();
    throw error;
  }
}

function filesOf(dataDir: string, { name, number }: { name: ServiceName; number: number }) {
  const fileOf = (what: string) => join(dataDir, `${name}-${number}.${what}`);
  return { failPointsFile: fileOf('fail-points'), clockFile: fileOf('clock') };
}
