/// <reference path="../../node_modules/postman-collection/types/index.d.ts" />
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Collection, Item, Property, type Event as Script } from 'postman-collection';
import { z } from 'zod';
import { eventually, type FakeMerchant, joinPlatform, startFakeMerchant } from '../../src/index.ts';
import { promisesOf } from './promises.ts';

const texts = z.record(z.string(), z.string());
const named = z.looseObject({ type: z.string() });
const parameters = z.array(z.looseObject({ key: z.string(), value: z.string() }));

interface Folder {
  item: Item.definition[];
}

let baseUrl: string;
let shop: FakeMerchant;

beforeAll(async () => {
  ({ baseUrl } = (await joinPlatform()).facts);
  shop = await startFakeMerchant();
});

afterAll(() => shop?.stop());

/**
 * Reads the Postman collection with Postman's own library. Returns the collection and its requests in their
 * order.
 */
async function imported() {
  const response = await fetch(`${baseUrl}/collection.json`);
  const json = JSON.parse(await response.text());
  const folders: Folder[] = json.item;
  const items = folders.flatMap(({ item }) => item).map((definition) => new Item(definition));
  return { collection: new Collection(json), items };
}

interface Answered {
  code: number;
  body: unknown;
}

interface SentByScript {
  url: string;
  method: string;
  header: Record<string, string>;
  body: { raw: string };
}

/**
 * Creates the part of Postman's object `pm` that the collection's scripts use. The requests that the scripts
 * send are added to `sent`.
 */
function postmanOf({ variables }: Collection, sent: Promise<void>[], answered?: Answered) {
  type Done = (error: unknown, response?: { json: () => unknown }) => void;
  const send = async ({ url, method, header, body }: SentByScript, done: Done) => {
    const answer = await fetch(url, { method, headers: header, body: body.raw });
    const json: unknown = await answer.json();
    done(null, { json: () => json });
  };
  return {
    collectionVariables: {
      get: (key: string) => variables.get(key),
      set: (key: string, value: unknown) => variables.upsert({ key, value }),
    },
    sendRequest: (request: SentByScript, done: Done) => void sent.push(send(request, done)),
    response: answered && { code: answered.code, json: () => answered.body },
    test: (_name: string, check: () => void) => check(),
    expect: (code: number) => ({
      to: {
        be: {
          oneOf: (good: number[]) => {
            if (!good.includes(code)) throw new Error(`answered ${code}: ${JSON.stringify(answered?.body)}`);
          },
        },
      },
    }),
  };
}

async function runScripts(scripts: readonly Script[], collection: Collection, answered?: Answered) {
  const sent: Promise<void>[] = [];
  const context = createContext({ pm: postmanOf(collection, sent, answered) });
  for (const { script } of scripts) runInContext(script.toSource(), context);
  await Promise.all(sent);
}

function headersOf({ request }: Item, { auth: ofAll, variables }: Collection): Record<string, string> {
  const own = texts.parse(request.getHeaders());
  const auth = request.auth ?? ofAll;
  const { type } = named.parse(auth.toJSON());
  const all = type === 'noauth' ? [] : parameters.parse(auth.parameters().all());
  const said = new Map(all.map(({ key, value }) => [key, value]));
  if (type === 'bearer') own.authorization = `Bearer ${said.get('token')}`;
  if (type === 'apikey') own[said.get('key') ?? ''] = said.get('value') ?? '';
  return texts.parse(Property.replaceSubstitutionsIn(own, [variables]));
}

/** Sends a request of the collection, runs its scripts, and compares the answer with the OpenAPI document. */
async function run(item: Item, collection: Collection): Promise<void> {
  await runScripts(item.events.listeners('prerequest'), collection);
  const filled = (text: string) => Property.replaceSubstitutions(text, collection.variables);
  const { method, url, body } = item.request;
  const address = filled(url.toString());
  const sent = body === undefined ? {} : { body: filled(body.raw) };
  const response = await fetch(address, { method, headers: headersOf(item, collection), ...sent });
  const { status: code, headers } = response;
  const answered = { code, body: JSON.parse(await response.text()) };
  const promises = await promisesOf(baseUrl);
  promises.expectAnswer({
    method,
    path: new URL(address).pathname,
    status: code,
    headers,
    body: answered.body,
  });
  await runScripts(item.events.listeners('test'), collection, answered);
}

test('the collection is imported, and its requests succeed in their order', async () => {
  const { collection, items } = await imported();
  collection.variables.upsert({ key: 'webhookUrl', value: shop.url });

  for (const item of items) {
    try {
      // The request is repeated, because the effects of a payment are visible only after a delay.
      await eventually(() => run(item, collection), { intervalMs: 500 });
    } catch (error) {
      throw new Error(`${item.name}: ${error}`, { cause: error });
    }
  }

  const promises = await promisesOf(baseUrl);
  await eventually(() => expect(shop.deliveries).not.toEqual([]));
  for (const { body } of shop.deliveries) promises.expectWebhook(body.toString());
  expect(items.length).toBeGreaterThan(50);
}, 300_000);
