import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api, type timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { startTraces } from '@plataforma/observe';
import { eventually, startFakeCollector } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { z } from 'zod';
import { operatorAs } from './support/operators.ts';
import { sharedWorld, verifierOf, type World } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let headers: { authorization: string };

type Part = z.infer<typeof timelinePart>;
type Name = keyof World['services'];

const names = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;
const nothing: Part = { subject: null, related: [], belongsTo: null, now: null, isCut: false, entries: [] };
const merchantId = newId();
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString();
const entry = (second: number, what: string): Part['entries'][number] => ({
  at: at(second),
  kind: 'state',
  what,
  detail: {},
});
const charge = (id: string): NonNullable<Part['subject']> => ({
  kind: 'charge',
  id,
  merchantId,
  environment: 'sandbox',
  status: 'PAID',
});

beforeAll(async () => {
  headers = (await operatorAs(world, 'SUPPORT')).headers;
});
afterEach(() => {
  for (const name of names) world.services[name].intercept(undefined);
});

/** Makes a service return these records for one id, and no records for other ids. */
function records(name: Name, id: string, part: Partial<Part>): void {
  world.services[name].answer(({ url }) => {
    const ids = new URL(url, 'http://service').searchParams.get('ids')?.split(',') ?? [];
    const data = ids.includes(id) ? { ...nothing, ...part } : nothing;
    return { status: 200, body: JSON.stringify({ success: true, data }) };
  });
}

function forget(): void {
  for (const name of names) records(name, '', {});
}

const read = (id: string) => world.call(`/v1/admin/timeline/${id}`, { headers });

async function timelineOf(id: string): Promise<z.infer<typeof api.readTimeline.data>> {
  const { status, json } = await read(id);
  expect(status).toBe(200);
  return api.readTimeline.data.parse(json.data);
}

describe('a timeline', () => {
  test('is ordered by time, then by service', async () => {
    const [id, refundId] = [newId(), newId()];
    forget();
    records('charges', id, {
      subject: charge(id),
      related: [refundId],
      now: { status: 'PAID' },
      entries: [entry(1, 'created'), entry(3, 'paid'), entry(3, 'announced')],
    });
    records('ledger', refundId, { isCut: true, entries: [entry(3, 'posted'), entry(9, 'refunded')] });
    records('webhooks', id, { entries: [entry(2, 'early'), entry(3, 'received')] });

    const timeline = await timelineOf(id);

    expect(timeline.entries.map(({ service, what }) => [service, what])).toEqual([
      ['charges', 'created'],
      ['webhooks', 'early'],
      ['charges', 'paid'],
      ['charges', 'announced'],
      ['ledger', 'posted'],
      ['webhooks', 'received'],
      ['ledger', 'refunded'],
    ]);
    expect(timeline.subject).toEqual(charge(id));
    expect(timeline.sources).toEqual([
      { service: 'charges', state: 'answered', isCut: false, now: { status: 'PAID' } },
      { service: 'withdrawals', state: 'answered', isCut: false, now: null },
      { service: 'ledger', state: 'answered', isCut: true, now: null },
      { service: 'webhooks', state: 'answered', isCut: false, now: null },
    ]);
  });

  test('is requested with the gateway’s identity, all ids and request id', async () => {
    const [id, refundId] = [newId(), newId()];
    forget();
    records('charges', id, { subject: charge(id), related: [refundId] });

    await world.call(`/v1/admin/timeline/${id}`, { headers: { ...headers, 'x-request-id': 'look-here' } });

    const lastRequest = world.services.ledger.last();
    expect(lastRequest.url).toBe(`/internal/timeline?ids=${id},${refundId}`);
    expect(lastRequest.headers).toMatchObject({
      'x-request-id': 'look-here',
      traceparent: expect.any(String),
    });
    const token = String(lastRequest.headers['x-internal-identity']);
    expect(verifierOf('ledger').verify(token)).toMatchObject({
      issuer: 'gateway',
      identity: { kind: 'service' },
    });
    expect(() => verifierOf('charges').verify(token)).toThrow();
    expect(lastRequest.headers.authorization).toBeUndefined();
  });

  test('has a trace step for each request to a service', async () => {
    const collector = await startFakeCollector();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    const traces = await startTraces('gateway', { LOG_LEVEL: 'silent', ...process.env });
    try {
      const id = newId();
      forget();
      records('charges', id, { subject: charge(id) });

      await timelineOf(id);

      const request = await eventually(() => {
        const served = collector.spans.find(({ name }) => name === 'GET /v1/admin/timeline/:id');
        expect(served).toBeDefined();
        return served;
      });
      const calls = collector.spans.filter(({ kind }) => kind === 'client');
      const traceparents = names.map((name) => world.services[name].last().headers.traceparent);
      expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(names.map(() => request?.spanId));
      expect(new Set(traceparents)).toEqual(
        new Set(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)),
      );
    } finally {
      await traces.stop();
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      await collector.stop();
    }
  });

  test('is found by a related id that only the ledger has', async () => {
    const [id, transactionId] = [newId(), newId()];
    forget();
    records('charges', id, { subject: charge(id), entries: [entry(1, 'created')] });
    records('ledger', transactionId, { belongsTo: id });

    const timeline = await timelineOf(transactionId);

    expect(timeline.subject).toEqual(charge(id));
    expect(timeline.entries.map(({ what }) => what)).toEqual(['created']);
  });

  test.each([
    ['hangs', () => undefined],
    ['hangs up', (_req: unknown, res: { destroy(): void }) => res.destroy()],
    [
      'answers an invalid body',
      (_req: unknown, res: { end(text: string): void }) => res.end('{"success":true,"data":{"entries":1}}'),
    ],
    [
      'fails',
      (_req: unknown, res: { writeHead(status: number): { end(): void } }) => res.writeHead(500).end(),
    ],
    [
      'refuses the gateway',
      (_req: unknown, res: { writeHead(status: number): { end(): void } }) => res.writeHead(401).end(),
    ],
  ])('shows the other services when one %s', async (_how, intercept) => {
    const id = newId();
    forget();
    records('charges', id, { subject: charge(id), entries: [entry(1, 'created')] });
    world.services.ledger.intercept(intercept);

    const { sources, entries } = await timelineOf(id);

    expect(sources.map(({ state }) => state)).toEqual(['answered', 'answered', 'unavailable', 'answered']);
    expect(entries.map(({ what }) => what)).toEqual(['created']);
  });

  test('has no subject when its own service is down', async () => {
    const id = newId();
    forget();
    records('ledger', id, { entries: [entry(1, 'posted')] });
    world.services.charges.intercept((_req, res) => res.destroy());

    expect(await timelineOf(id)).toMatchObject({ subject: null, entries: [{ what: 'posted' }] });
  });

  test('is 404 when no service has it, 503 without all answers', async () => {
    forget();
    const unknown = await read(newId());
    world.services.webhooks.intercept((_req, res) => res.destroy());
    const unavailable = await read(newId());

    expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND']);
    expect([unavailable.status, unavailable.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(unavailable.json.error?.message).toContain('webhooks');
    expect(unavailable.headers['retry-after']).toBeDefined();
  });

  test('is 404 for an id that only webhooks has', async () => {
    const id = newId();
    forget();
    records('webhooks', id, { belongsTo: id, entries: [entry(1, 'received')] });

    expect(await read(id)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('needs a valid id and an operator to reach services', async () => {
    forget();
    const before = names.map((name) => world.services[name].requests.length);
    const merchant = await world.newMerchant();

    expect(await read('no-id')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await world.call(`/v1/admin/timeline/${newId()}`)).toMatchObject({ status: 401 });
    const asMerchant = await world.call(`/v1/admin/timeline/${newId()}`, { headers: merchant.bearer });
    expect(asMerchant).toMatchObject({ status: 401, code: 'INVALID_TOKEN' });
    expect(names.map((name) => world.services[name].requests.length)).toEqual(before);
  });
});

test('callers cannot reach internal timeline routes', async () => {
  const { status } = await world.call(`/internal/timeline?ids=${newId()}`, { headers });

  expect(status).toBe(404);
});
