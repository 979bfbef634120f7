import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  claimVhost,
  type FakeMerchant,
  type Platform,
  startFakeMerchant,
  startPlatform,
} from '../../src/index.ts';

/** A platform of a story's own, and a shop that hears its webhooks. */
export interface World {
  platform: Platform;
  shop: FakeMerchant;
  /** Stops the platform and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-story-'));
  const vhost = await claimVhost();
  const start = () =>
    startPlatform({
      dataDir,
      port: null,
      postgres: { url: process.env.TEST_POSTGRES_URL ?? '', pid: null },
      rabbitmq: { url: vhost, pid: null },
      databasePrefix: basename(dataDir),
    });
  const shop = await startFakeMerchant();
  const world: World = {
    platform: await start(),
    shop,
    async restart() {
      await world.platform.stop();
      world.platform = await start();
    },
    async stop() {
      await shop.stop();
      await world.platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}
