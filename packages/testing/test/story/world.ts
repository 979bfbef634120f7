import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  type Bank,
  bankOf,
  claimVhost,
  type FakeMerchant,
  type Platform,
  startFakeMerchant,
  startPlatform,
} from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';
import { promisesOf } from './promises.ts';

/** A platform of a story's own, and a shop that hears its webhooks. */
export interface World {
  platform: Platform;
  shop: FakeMerchant;
  /** Where the services keep what is not in a database: their logs. */
  dataDir: string;
  /** Stops the platform and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface WorldOptions {
  logLevel?: string;
  /** Of each service: two, as anything may happen on either of two. */
  replicas?: number;
  /** None, so that no story waits for it. */
  drainMs?: number;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { logLevel = 'info', replicas = 2, drainMs = 0 } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-story-'));
  const vhost = await claimVhost();
  const start = () =>
    startPlatform({
      dataDir,
      port: null,
      postgres: { url: process.env.TEST_POSTGRES_URL ?? '', pid: null },
      rabbitmq: { url: vhost, pid: null },
      databasePrefix: basename(dataDir),
      logLevel,
      replicas,
      drainMs,
    });
  const platform = await start();
  const shop = await startFakeMerchant();
  const world: World = {
    platform,
    shop,
    dataDir,
    async restart() {
      await world.platform.stop();
      world.platform = await start();
    },
    async stop() {
      const promises = await promisesOf(world.platform.facts.baseUrl);
      await shop.stop();
      await world.platform.stop();
      await rm(dataDir, { recursive: true, force: true });
      for (const { body } of shop.deliveries) promises.demandWebhook(body.toString());
    },
  };
  return world;
}

/** A world with those who act in it: the demo merchant in the sandbox, an operator, and the payers' bank. */
export interface Cast extends World {
  merchant: Client;
  operator: Client;
  bank: Bank;
}

export async function startCast(options: WorldOptions = {}): Promise<Cast> {
  const world = await startWorld(options);
  const { baseUrl, demo, operator } = world.platform.facts;
  const { data } = await clientOf(baseUrl).post('/v1/admin/auth/login', operator);
  return Object.assign(world, {
    merchant: clientOf(baseUrl, { key: demo.sandboxKey }),
    operator: clientOf(baseUrl, { bearer: String(data.accessToken) }),
    bank: bankOf(world.platform.facts),
  });
}
