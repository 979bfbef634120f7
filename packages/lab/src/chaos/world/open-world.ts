import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  bankOf,
  prepareRabbitmq,
  type ServiceName,
  serviceNames,
  signersWith,
  startPlatform,
  startPrivateBroker,
  startPrivatePostgres,
} from '@plataforma/testing';
import { execute } from '../faults/database.ts';
import { filesOf, type OldRelease, type ProcessOptions, processesOf } from './processes.ts';
import type { Replica, World } from './world.ts';

export interface OpenWorld extends World {
  /** Migrates a service's database to this repository's schema. Returns the migrations that ran. */
  migrate(service: ServiceName): Promise<string[]>;
  prepareBroker(): Promise<void>;
  /** Makes the process run the code of this repository from its next start on. */
  renew(replica: Replica): void;
  stop(): Promise<void>;
}

const REPLICAS = 2;

/** Files of releases whose set-up declares the queues. The file of the newest release is first. */
const SET_UPS = ['packages/messaging/src/declare-topology.ts', 'packages/messaging/src/topology.ts'];

/**
 * Returns whether the services of the release declare all queues themselves. Services of older releases do,
 * with other arguments than those of this repository.
 */
function makesAllQueues(from: OldRelease | undefined): boolean {
  return from !== undefined && !SET_UPS.some((file) => existsSync(join(from.root, file)));
}

export async function openWorld(options: ProcessOptions): Promise<OpenWorld> {
  const { dataDir, mutation, from } = options;
  const [postgres, broker] = await Promise.all([
    startPrivatePostgres(join(dataDir, 'postgres')),
    startPrivateBroker(join(dataDir, 'rabbitmq')),
  ]);
  const processes = processesOf(options);
  const { links, offices, serviceUrls, settings, releaseOf, migrate, migrateFirst } = processes;
  const stopOutside = async () => {
    await Promise.all([...links, ...offices].map((each) => each.stop()));
    await Promise.all([postgres.stop(), broker.stop()]);
  };

  try {
    const platform = await startPlatform({
      ...{
        dataDir,
        port: null,
        replicas: REPLICAS,
        drainMs: from?.drainMs ?? 0,
        logLevel: 'info',
        limits: 'lifted',
      },
      ...{ settings, releaseOf, migrate: migrateFirst },
      postgres: { url: postgres.url, pid: postgres.pid },
      rabbitmq: { url: broker.url, pid: broker.pid, hasUsers: !from, isUnprepared: makesAllQueues(from) },
    });
    const [postOffice] = offices;
    if (!postOffice) throw new Error('the bank has no post office');
    for (const { service, statement } of mutation?.sql ?? []) {
      await execute(platform.databaseUrls[service], statement);
    }
    const replicas = serviceNames.flatMap((service) =>
      platform.replicas[service].map((process, index): Replica => {
        const number = index + 1;
        return { service, number, process, ...filesOf(dataDir, { name: service, number }), deaths: [] };
      }),
    );
    // Sorts the links, because the processes add them in a random order. With sorted links, the same seed
    // chooses the same links again.
    links.sort((left, right) => left.name.localeCompare(right.name));
    return {
      ...{
        platform,
        postgres,
        broker,
        brokerUrl: broker.url,
        replicas,
        links,
        postOffice,
        serviceUrls,
        dataDir,
      },
      bank: bankOf(platform.facts),
      poison: new Set(),
      signers: signersWith(platform.keys),
      refusals: [],
      leftUnproven: new Set(),
      insiders: { breaches: new Set(), forged: new Set(), entries: new Map() },
      migrate,
      prepareBroker: () => prepareRabbitmq(broker.url),
      renew: ({ service, number }) => processes.renew({ name: service, number }),
      async stop() {
        await platform.stop().finally(stopOutside);
      },
    };
  } catch (error) {
    await stopOutside();
    throw error;
  }
}
