import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CollectedSpan, eventually, type FakeCollector, operatorToken } from '../../src/index.ts';
import { readLogs } from './canary-search.ts';
import { anOrder, clientOf, subscribeWebhooks } from './client.ts';
import type { Cast } from './world.ts';

/** Returns the trace id and the headers of a caller that has an unsampled trace of its own. */
function newTrace() {
  const callerTraceId = randomUUID().replaceAll('-', '');
  return { callerTraceId, headers: { traceparent: `00-${callerTraceId}-b7ad6b7169203331-00` } };
}

const named = ({ service, kind, name }: CollectedSpan) => `${service} ${kind} ${name}`;

/**
 * Must run as the first test on a platform, because the collector may contain only spans of the start and of
 * this test.
 */
export function testTraces(traced: () => { world: Cast; collector: FakeCollector }): void {
  let world: Cast;
  let collector: FakeCollector;
  let key: string;
  let id: string;
  let unsubscribe: (() => Promise<void>) | undefined;

  /** Returns the id of the trace that the gateway began and that links to the caller's trace. */
  function ourTrace(callerTraceId: string): Promise<string> {
    return eventually(() => {
      const [first, ...more] = collector.spans.filter(({ links }) =>
        links.some(({ traceId }) => traceId === callerTraceId),
      );
      expect([first?.parentSpanId, more]).toEqual(['', []]);
      return first?.traceId ?? '';
    });
  }

  /**
   * Returns the names of a span and of its ancestors. If an ancestor was not exported, returns its id in
   * place of its name.
   */
  function causesOf(span: CollectedSpan | undefined): string[] {
    if (!span) return [];
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [named(span), ...(parent ? causesOf(parent) : [span.parentSpanId])];
  }

  function spanIn(traceId: string, name: string): CollectedSpan | undefined {
    return collector.spans.find((span) => span.traceId === traceId && named(span) === name);
  }

  async function linesOf(traceId: string) {
    const written = await readLogs(world.dataDir);
    return written.filter(({ text }) => text.includes(traceId)).map(({ text }) => JSON.parse(text));
  }

  beforeAll(async () => {
    ({ world, collector } = traced());
    // The test uses production, where an operator must approve each withdrawal.
    const merchant = world.merchant.as({ key: world.platform.facts.demo.liveKey });
    unsubscribe = await subscribeWebhooks(merchant, `${world.shop.url}/hooks`);
    const { data } = await merchant.post('/v1/charges', anOrder({ amount: 50_000 }));
    await world.bank.control(`/pix/${data.txid}/pay`);
    await eventually(async () => expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(50_000));
  });

  afterAll(() => unsubscribe?.());

  test('leads from a request through gateway and service to ledger', async () => {
    const { callerTraceId, headers } = newTrace();
    const { baseUrl, demo } = world.platform.facts;
    const merchant = clientOf(baseUrl, { key: demo.liveKey, headers });
    key = randomUUID();

    const { status, data } = await merchant.post('/v1/withdrawals', {
      amount: 20_000,
      pixKey: key,
      pixKeyType: 'EVP',
    });

    expect(status).toBe(201);
    id = String(data.id);
    const traceId = await ourTrace(callerTraceId);
    await eventually(() => {
      expect(causesOf(spanIn(traceId, 'ledger server POST /internal/withdrawals'))).toEqual([
        'ledger server POST /internal/withdrawals',
        'withdrawals client POST',
        'withdrawals server POST /v1/withdrawals',
        'gateway client POST',
        'gateway server POST /v1/withdrawals',
        '',
      ]);
    });
    await eventually(async () => {
      const services = (await linesOf(traceId)).map(({ service }) => service);
      expect(new Set(services)).toEqual(new Set(['gateway', 'withdrawals', 'ledger']));
    });
    await eventually(async () => {
      const lines = await linesOf(callerTraceId);
      expect(lines).toMatchObject([{ service: 'gateway', msg: 'request', traceId, callerTraceId }]);
    });
  });

  test('leads through an event to the books and the webhook', async () => {
    const { callerTraceId, headers } = newTrace();
    const { baseUrl, operator } = world.platform.facts;
    const bearer = await operatorToken(baseUrl, operator);
    const somebody = clientOf(baseUrl, { bearer, headers });

    const { status } = await somebody.post(`/v1/admin/withdrawals/${id}/reject`, { reason: 'not now' });

    expect(status).toBe(200);
    const traceId = await ourTrace(callerTraceId);
    const toTheBroker = [
      'withdrawals producer publish withdrawal.rejected',
      'withdrawals server POST /v1/admin/withdrawals/:id/reject',
      'gateway client POST',
      'gateway server POST /v1/admin/withdrawals/:id/reject',
      '',
    ];
    await eventually(() => {
      expect(causesOf(spanIn(traceId, 'ledger consumer process withdrawal.rejected'))).toEqual([
        'ledger consumer process withdrawal.rejected',
        ...toTheBroker,
      ]);
      expect(causesOf(spanIn(traceId, 'webhooks client POST'))).toEqual([
        'webhooks client POST',
        'webhooks consumer process withdrawal.rejected',
        ...toTheBroker,
      ]);
    });
    await eventually(async () => {
      expect(await linesOf(traceId)).toContainEqual(
        expect.objectContaining({ service: 'webhooks', msg: 'delivery attempted', statusCode: 200, traceId }),
      );
    });
  });

  test('contains no secret or personal data', () => {
    const said = collector.bodies.join('');
    const { demo, operator } = world.platform.facts;
    const secrets = [
      key,
      id,
      demo.liveKey,
      operator.password,
      `${operator.totpSecret}`,
      '/callbacks/pix/0',
      '/hooks',
      '12345678909',
    ];

    expect(said.length).toBeGreaterThan(0);
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  });

  test('is sent to no endpoint outside the platform', () => {
    const deliveredHeaders = JSON.stringify(world.shop.deliveries.map(({ headers }) => headers));

    expect(world.shop.deliveries.length).toBeGreaterThan(0);
    expect(deliveredHeaders).not.toMatch(/traceparent|x-request-id/);
  });
}
