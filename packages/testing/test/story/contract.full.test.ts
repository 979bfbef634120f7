import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { clientOf } from './client.ts';
import {
  walkCredentials,
  walkHttp,
  walkKeys,
  walkLimits,
  walkNotFound,
  walkTries,
} from './contract-audiences.ts';
import { beyondAMerchant } from './contract-beyond.ts';
import {
  walkCards,
  walkCharges,
  walkDisputes,
  walkEmptyWallet,
  walkRefunds,
  walkUnexpected,
} from './contract-charges.ts';
import { walkLinks } from './contract-links.ts';
import { walkDestinations, walkWithdrawals } from './contract-money-out.ts';
import { walkClock, walkProviderFaults } from './contract-provider-faults.ts';
import { openShop, type Shop } from './contract-shop.ts';
import { startWalk, type Walk } from './contract-walk.ts';
import { feed, listen, verified, walkAlerts, walkWebhooks } from './contract-webhooks.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let walk: Walk;
let shop: Shop;
let secret: string;
let chapters: Map<string, Promise<void>>;

const names = [
  'charges',
  'refunds',
  'unexpected payments',
  'cards',
  'disputes',
  'an empty wallet',
  'withdrawals',
  'destinations',
  'payment links',
  'webhooks',
  'alerts',
  'credentials',
  'API keys',
  'objects and paths that do not exist',
  'malformed requests',
  'limits',
  'provider faults',
  'the clock',
  'attempts of an address',
];

/** The parts of the test run in parallel, because they spend most of their time waiting. */
beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
  const { baseUrl } = world.platform.facts;
  walk = await startWalk(baseUrl);
  const { overhear } = walk;
  const anyone = clientOf(baseUrl, { overhear });
  // The accounts are created one after the other, because the platform computes only a few password hashes at
  // a time.
  shop = await openShop(anyone);
  const poor = await openShop(anyone);
  const deaf = await openShop(anyone);
  const many = await openShop(anyone);
  const wet = await openShop(anyone);
  secret = await listen(shop, world.shop);
  const slow = await world.openShop();
  const walks = [
    walkCharges(shop),
    walkRefunds(shop),
    walkUnexpected(shop),
    walkCards(shop),
    walkDisputes(shop),
    walkEmptyWallet(poor),
    walkWithdrawals(shop),
    walkDestinations(many),
    walkLinks(shop),
    walkWebhooks(deaf, slow),
    walkAlerts(shop),
    walkCredentials(shop),
    walkKeys(many),
    walkNotFound(shop),
    walkHttp(shop, baseUrl, walk),
    walkLimits(poor),
    walkProviderFaults(wet),
    walkClock(many),
  ];
  walks.push(Promise.allSettled(walks).then(() => walkTries(poor)));
  for (const each of walks) each.catch(() => undefined);
  chapters = new Map(names.map((name, index) => [name, walks[index] ?? Promise.reject(new Error(name))]));
});

afterAll(() => world?.stop());

test.each(names)('%s', (name) => chapters.get(name), 120_000);

function left(promised: readonly string[], observed: ReadonlySet<string>): string[] {
  return promised.filter((line) => !observed.has(line) && !isBeyond(line));
}

function isBeyond(line: string): boolean {
  return line in beyondAMerchant || (line.split(' ').at(-1) ?? '') in beyondAMerchant;
}

test('every error code of every endpoint was received', () => {
  expect(left(walk.codes, walk.observed)).toEqual([]);
});

test('every state was shown by a GET', () => {
  expect(left(walk.states, walk.observed)).toEqual([]);
});

test('every event arrived signed and is in the feed', async () => {
  await eventually(() => {
    const receivedEvents = new Set(world.shop.deliveries.map((delivery) => verified(delivery, secret)));
    expect(left(walk.events, receivedEvents)).toEqual([]);
  });
  const inFeed = new Set(await feed(shop.merchant));
  expect(left(walk.events, inFeed)).toEqual(['webhook.test']);
});

test('promises listed as unreachable exist and were not observed', () => {
  const promised = new Set([...walk.codes, ...walk.states, ...walk.events]);
  const lines = Object.keys(beyondAMerchant);
  expect(lines.filter((line) => !promised.has(line) || walk.observed.has(line))).toEqual([]);
});
