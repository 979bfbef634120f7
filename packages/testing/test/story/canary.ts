import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventExchange } from '@plataforma/events';
import { z } from 'zod';
import { eventually, rowsAt } from '../../src/index.ts';
import {
  type Flow,
  listen,
  nameRequests,
  openAccount,
  payOut,
  readEverything,
  sell,
} from './canary-flows.ts';
import { keptOutside, needed } from './canary-needs.ts';
import { readDatabases, readLogs, tapEvents, type Wiretap, type Written } from './canary-search.ts';
import { accountNumber, personal, secret, type Words, wordsIn } from './canary-words.ts';
import { type Client, clientOf } from './client.ts';
import type { Cast } from './world.ts';

/** Tests where personal data and secrets appear, on a platform that logs at its most detailed level. */
export function testCanary(cast: () => Cast): void {
  let world: Cast;
  let wiretap: Wiretap;
  let secrets: Words;
  let written: Written[];
  const refusals: Written[] = [];
  const answers: Written[] = [];

  const names: Words = new Map(Object.entries(personal));

  beforeAll(async () => {
    world = cast();
    const { baseUrl, rabbitmq } = world.platform.facts;
    wiretap = await tapEvents(rabbitmq.url, eventExchange);
    const overhear = (status: number, text: string) =>
      void (status >= 400 ? refusals : answers).push({ source: `answer ${status}`, text });
    const flow: Flow = { world, anyone: clientOf(baseUrl, { overhear }), made: new Map() };
    const acting = await openAccount(flow);
    const { merchant } = acting;
    await listen(flow, merchant);
    await nameRequests(flow);
    await sell(flow, merchant);
    await poison();
    await payOut(flow, merchant);
    await untilQuiet(merchant);
    answers.length = 0;
    await readEverything(acting);
    secrets = new Map([...Object.entries(secret), ...flow.made, ...(await ourOwnSecrets())]);
    written = [
      ...(await readLogs(world.dataDir)),
      ...(await readDatabases(world.platform)),
      ...wiretap.published,
      ...world.shop.deliveries.map(({ path, headers, body }) => ({
        source: `webhook ${JSON.parse(body.toString()).event}`,
        text: `${path} ${JSON.stringify(headers)} ${body.toString()}`,
      })),
      ...refusals,
      ...answers,
    ];
  });

  afterAll(async () => {
    await wiretap?.stop();
    const { list } = await world.operator.get('/v1/admin/withdrawals?status=PENDING');
    for (const { id } of list)
      await world.operator.post(`/v1/admin/withdrawals/${id}/reject`, { reason: 'a later story begins' });
  });

  const aSnapshot = {
    name: 'Loja',
    status: 'APPROVED',
    checkoutColor: '#000000',
    pixFeeBps: 0,
    pixFeeFixed: 0,
  };

  /** Publishes events that the services can't apply, and a message that is not an event. */
  async function poison(): Promise<void> {
    const data = { payerDocument: personal['payer CPF'], payerName: personal['payer name'] };
    const ids = { id: randomUUID(), merchantId: randomUUID(), aggregateId: randomUUID() };
    const about = { version: 1, occurredAt: new Date().toISOString(), environment: 'sandbox', sequence: 1 };
    const envelope = { ...ids, ...about, type: 'charge.paid', traceparent: null, data };
    wiretap.publish('charge.paid', JSON.stringify(envelope));
    // The version is a CNPJ, which is too large for the version's column. PostgreSQL's error message
    // therefore contains the CNPJ.
    const snapshot = { ...aSnapshot, id: ids.merchantId, version: Number(personal['company CNPJ']) };
    const message = {
      ...envelope,
      id: randomUUID(),
      environment: null,
      type: 'merchant.updated',
      data: snapshot,
    };
    wiretap.publish('merchant.updated', JSON.stringify(message));
    wiretap.publish('charge.paid', `{"payerName": "${personal['payer name']}", ${personal['payer CPF']}`);
    wiretap.publish('chain.anchored.charges', 'no event, which all others get');
  }

  /** The number of published events that each service stores as dead letters. */
  const deadLetters = [
    ['gateway', 1],
    ['charges', 1],
    ['withdrawals', 2],
    ['ledger', 3],
    ['webhooks', 3],
  ] as const;

  /**
   * Waits until all events, deliveries, withdrawals and dead letters are complete, and the failing webhook
   * URL has received a retry.
   */
  async function untilQuiet(merchant: Client): Promise<void> {
    const KEYS = 4;
    const deliveriesTo = (path: string, event = 'withdrawal.completed') =>
      world.shop.deliveries.filter((one) => one.path === path && one.body.includes(event));
    await eventually(
      async () => {
        const open = await merchant.get('/v1/withdrawals?status=PROCESSING');
        expect(open.list).toEqual([]);
        expect(deliveriesTo('/hooks')).toHaveLength(KEYS);
        expect(deliveriesTo('/hooks', 'withdrawal.rejected')).toHaveLength(1);
        expect(deliveriesTo('/broken').length).toBeGreaterThan(KEYS);
        expect(
          wiretap.published.filter(({ source }) => source === 'event withdrawal.completed'),
        ).toHaveLength(KEYS);
        for (const [service, count] of deadLetters) {
          const rows = await rowsOf(service, 'SELECT FROM dead_letters');
          expect([service, rows.length]).toEqual([service, count]);
        }
        for (const service of ['gateway', 'charges', 'withdrawals'] as const) {
          expect(await rowsOf(service, 'SELECT FROM outbox WHERE published_at IS NULL')).toEqual([]);
        }
      },
      { timeoutMs: 60_000 },
    );
  }

  const rowsOf = (service: (typeof deadLetters)[number][0], sql: string) =>
    rowsAt(world.platform.databaseUrls[service], sql);

  async function ourOwnSecrets(): Promise<[string, string][]> {
    const text = await readFile(join(world.dataDir, 'secrets.json'), 'utf8');
    const own = z
      .object({
        callbackSecret: z.string(),
        webhookKey: z.string(),
        fileKey: z.string(),
        providerSecret: z.string(),
        keys: z.record(z.string(), z.object({ privateKey: z.string() })),
        databasePasswords: z.record(z.string(), z.string()),
        operator: z.object({ password: z.string(), totpSecret: z.string() }),
        demo: z.object({ password: z.string(), sandboxKey: z.string(), liveKey: z.string() }),
      })
      .parse(JSON.parse(text));
    const line = (pem: string) => pem.split('\n')[1] ?? pem;
    return [
      ['our callback secret', own.callbackSecret],
      ['our key of webhook secrets', own.webhookKey],
      ['our key of files', own.fileKey],
      ['our secret at the provider', own.providerSecret],
      ['the operator’s password', own.operator.password],
      ['the operator’s second factor', own.operator.totpSecret],
      ...Object.entries(own.demo).map(([name, value]): [string, string] => [`the demo’s ${name}`, value]),
      ...Object.entries(own.keys).map(([name, { privateKey }]): [string, string] => [
        `key of ${name}`,
        line(privateKey),
      ]),
      ...Object.entries(own.databasePasswords).map(([name, value]): [string, string] => [
        `database of ${name}`,
        value,
      ]),
    ];
  }

  function foundIn(words: Words, where: (source: string) => boolean): string[] {
    const found = written
      .filter(({ source }) => where(source))
      .flatMap(({ source, text }) => wordsIn(text, words).map((name) => `${source}: ${name}`));
    return [...new Set(found)].toSorted();
  }

  test('no secret of the platform appears in plain text', () => {
    expect(foundIn(secrets, () => true)).toEqual(keptOutside);
  });

  test('no log contains a personal name or an account number', () => {
    const lines = written.filter(({ source, text }) => source.startsWith('log ') && text.includes('"POST"'));

    expect(lines.length).toBeGreaterThan(50);
    const inNoLog = new Map([...names, ['account number', accountNumber]]);
    expect(foundIn(inNoLog, (source) => source.startsWith('log '))).toEqual([]);
  });

  test('no refusal contains personal data', () => {
    expect(refusals.length).toBeGreaterThan(15);
    expect(foundIn(names, (source) => /^answer [45]/.test(source))).toEqual([]);
  });

  test('personal data is stored only in the needed places', () => {
    // The sandbox provider is left out, because a real bank also stores data of payers and payees.
    expect(foundIn(names, (source) => !/^(log|answer|sandbox-psp)/.test(source))).toEqual(needed);
  });

  test('operators see dead letters without personal data', async () => {
    const bodies: string[] = [];
    for (const [service] of deadLetters) {
      const { list } = await world.operator.get(`/v1/admin/${service}/dead-letters`);
      for (const { id } of list) {
        const { body } = await world.operator.get(`/v1/admin/${service}/dead-letters/${id}`);
        bodies.push(JSON.stringify(body));
      }
    }

    expect(bodies).toHaveLength(10);
    expect(bodies.flatMap((text) => wordsIn(text, names))).toEqual([]);
  });
}
