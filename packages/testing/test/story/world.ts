import {
  type Bank,
  bankOf,
  claimSite,
  type FakeMerchant,
  operatorToken,
  type Platform,
  startFakeMerchant,
} from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';
import { promisesOf } from './promises.ts';

/** A platform for one test, and a shop that receives webhooks. */
export interface World {
  platform: Platform;
  shop: FakeMerchant;
  /** The data folder of the platform, which contains the logs of the services. */
  dataDir: string;
  /** Starts another shop. The webhooks that the shop receives are also compared with the OpenAPI document. */
  openShop(): Promise<FakeMerchant>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface WorldOptions {
  logLevel?: string;
  /**
   * The number of replicas of each service. The default is two, because each step must work on either
   * replica.
   */
  replicas?: number;
  /**
   * Milliseconds for which a stopping process still accepts requests. The default is 0, so that a stop takes
   * less time in tests.
   */
  drainMs?: number;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { logLevel = 'info', replicas = 2, drainMs = 0 } = options;
  const site = await claimSite({ logLevel, replicas, drainMs });
  const platform = await site.start();
  const shops: FakeMerchant[] = [];
  async function openShop() {
    const shop = await startFakeMerchant();
    shops.push(shop);
    return shop;
  }
  const world: World = {
    platform,
    shop: await openShop(),
    dataDir: site.dataDir,
    openShop,
    async restart() {
      await world.platform.stop();
      world.platform = await site.start();
    },
    async stop() {
      const promises = await promisesOf(world.platform.facts.baseUrl);
      await Promise.all(shops.map((shop) => shop.stop()));
      await world.platform.stop();
      await site.clear();
      for (const { body } of shops.flatMap(({ deliveries }) => deliveries)) {
        promises.expectWebhook(body.toString());
      }
    },
  };
  return world;
}

/**
 * A platform for one test, with a client for the demo merchant's sandbox, a client for an operator, and the
 * sandbox provider.
 */
export interface Cast extends World {
  merchant: Client;
  operator: Client;
  bank: Bank;
}

export async function startCast(options: WorldOptions = {}): Promise<Cast> {
  const world = await startWorld(options);
  const { baseUrl, demo, operator } = world.platform.facts;
  return Object.assign(world, {
    merchant: clientOf(baseUrl, { key: demo.sandboxKey }),
    operator: clientOf(baseUrl, { bearer: () => operatorToken(baseUrl, operator) }),
    bank: bankOf(world.platform.facts),
  });
}
