import {
  type Bank,
  bankOf,
  claimSite,
  type FakeMerchant,
  type Platform,
  startFakeMerchant,
} from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';
import { promisesOf } from './promises.ts';

/** A platform of a story's own, and a shop that hears its webhooks. */
export interface World {
  platform: Platform;
  shop: FakeMerchant;
  /** Where the services keep what is not in a database: their logs. */
  dataDir: string;
  /** Another shop, whose webhooks are held against the contract, too. */
  openShop(): Promise<FakeMerchant>;
  /** Stops the platform and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface WorldOptions {
  logLevel?: string;
  /** Replicas of each service: two by default, because any step may happen on either. */
  replicas?: number;
  /** None, so that no story waits for it. */
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
