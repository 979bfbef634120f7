import {
  type Bank,
  bankOf,
  claimSite,
  type FakeMerchant,
  type Platform,
  startFakeMerchant,
  testSigners,
} from '@plataforma/testing';
import { z } from 'zod';
import { callerOf } from '../../src/chaos/caller.ts';
import {
  type Databases,
  type Evidence,
  openDatabases,
  type Received,
} from '../../src/chaos/check/evidence.ts';
import { type History, openHistory } from '../../src/chaos/history.ts';

type Data = Record<string, unknown>;

export interface Client {
  get(path: string): Promise<Data>;
  post(path: string, body?: Data | FormData, key?: string): Promise<Data>;
  patch(path: string, body: Data): Promise<Data>;
  delete(path: string): Promise<Data>;
}

/** A small platform without faults, with the evidence that a run would collect. */
export interface CheckWorld {
  platform: Platform;
  bank: Bank;
  history: History;
  shop: FakeMerchant;
  /** The webhooks that the shop has received, with its responses. */
  received: Received[];
  databases: Databases;
  clientOf(actor: string, headers: Record<string, string>): Client;
  evidence(): Promise<Evidence>;
  stop(): Promise<void>;
}

export async function openCheckWorld(): Promise<CheckWorld> {
  const site = await claimSite();
  const platform = await site.start();
  const bank = bankOf(platform.facts);
  const history = openHistory();
  const shop = await startFakeMerchant();
  const received = hearkenTo(shop);
  const databases = await openDatabases(platform.databaseUrls);
  return {
    platform,
    bank,
    history,
    shop,
    received,
    databases,
    clientOf(actor, headers) {
      const options = { timeoutMs: 30_000, witness: { history, actor } };
      const call = (key?: string) =>
        callerOf(platform.facts.baseUrl, { ...headers, ...(key && { 'idempotency-key': key }) }, options);
      return {
        get: (path) => call()('GET', path),
        post: (path, body, key) => call(key)('POST', path, body),
        patch: (path, body) => call()('PATCH', path, body),
        delete: (path) => call()('DELETE', path),
      };
    },
    evidence: async () => ({
      databases,
      truth: await bank.truth(),
      calls: history.calls,
      received,
      poison: new Set(),
      signers: testSigners,
    }),
    async stop() {
      await databases[Symbol.asyncDispose]();
      await shop.stop();
      await platform.stop();
      await site.clear();
    },
  };
}

/** Makes the shop refuse the first delivery of a `charge.refunded` webhook, and accept all others. */
function hearkenTo(shop: FakeMerchant): Received[] {
  const received: Received[] = [];
  const refused = new Set<string>();
  shop.answer(({ path, headers, body, receivedAt }) => {
    const { event } = z.object({ event: z.string() }).parse(JSON.parse(body.toString()));
    const status = event === 'charge.refunded' && !refused.has(event) ? 500 : 200;
    refused.add(event);
    const id = String(headers['x-webhook-id']);
    const signature = String(headers['x-webhook-signature']);
    received.push({ configurationPath: path, id, signature, isSigned: true, body, at: receivedAt, status });
    return { status };
  });
  return received;
}
