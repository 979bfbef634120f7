import { afterEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { createLog, runInContext, startTraces } from '@plataforma/observe';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually, type FakeCollector, startFakeCollector } from '@plataforma/testing';
import { listen, startRelay } from '../src/index.ts';
import { log, openTestDatabase, paidCharge, recordEffects, signaturePolicy, signer } from './fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  for (const close of closing.splice(0).reverse()) await close();
});

const traces = ['0af7651916cd43dd8448eb211c80319c', '4bf92f3577b34da6a3ce929d0e0e4736'];
const contexts = traces.map((trace) => ({ traceparent: `00-${trace}-b7ad6b7169203331-01` }));

async function exporting(): Promise<FakeCollector & { flush(): Promise<void> }> {
  const collector = await startFakeCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const started = await startTraces('test', process.env);
  closing.push(collector.stop, started.stop);
  return { ...collector, flush: started.stop };
}

/** Starts a relay that publishes announced events, and a listener of the ledger that applies the events. */
async function line(apply: (events: DomainEvent[]) => Promise<void> | void) {
  const vhost = await claimVhost();
  const database = await openTestDatabase();
  const lines: string[] = [];
  const subscriberLog = createLog({
    service: 'test',
    level: 'info',
    destination: { write: (text) => void lines.push(text) },
  });
  const relay = startRelay({ signer, database, brokerUrl: vhost, name: 'test', log, pollMs: 20 });
  const listener = listen({
    subscriber: 'ledger',
    signaturePolicy,
    database,
    brokerUrl: vhost,
    log: subscriberLog,
    apply: async (tx, events) => {
      subscriberLog.info({ count: events.length }, 'applying');
      await apply(events);
      await recordEffects(tx, events);
    },
  });
  closing.push(database.close, relay.stop, listener.stop);
  await eventually(() => expect([relay.isConnected(), listener.isConnected()]).toEqual([true, true]));
  return {
    said: () => lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg !== 'connected to the broker'),
    announceIn: (context: { traceparent: string }, count = 1) =>
      runInContext(context, () =>
        database.transaction((tx) => announce(tx, ...Array.from({ length: count }, paidCharge))),
      ),
  };
}

describe('an event', () => {
  test('is published and consumed as two spans of its trace', async () => {
    const collector = await exporting();
    const applied: DomainEvent[] = [];
    const { announceIn } = await line((events) => void applied.push(...events));

    await announceIn({ traceparent: `00-${traces[0]}-b7ad6b7169203331-01` });
    await eventually(() => expect(applied).toHaveLength(1));
    // The live update for pages about the event has a span of its own.
    const spans = () => collector.spans.filter(({ name }) => !name.startsWith('publish live.'));
    await eventually(() => expect(spans()).toHaveLength(2));

    const produced = spans().find(({ kind }) => kind === 'producer');
    const consumed = spans().find(({ kind }) => kind === 'consumer');
    const about = { 'messaging.system': 'rabbitmq', 'messaging.message.id': applied[0]?.id };
    expect(produced).toMatchObject({
      name: 'publish charge.paid',
      traceId: traces[0],
      parentSpanId: 'b7ad6b7169203331',
      attributes: about,
      hasFailed: false,
    });
    expect(consumed).toMatchObject({
      name: 'process charge.paid',
      traceId: traces[0],
      parentSpanId: produced?.spanId,
      attributes: { ...about, 'messaging.destination.name': 'ledger.events' },
      hasFailed: false,
    });
    // The span of the consumer is the parent of the spans that follow.
    expect(applied[0]?.traceparent).toBe(`00-${traces[0]}-${consumed?.spanId}-01`);
  });

  test('gets a failed span and traced log lines when it fails', async () => {
    const collector = await exporting();
    const { announceIn, said } = await line(() => {
      throw new Error('canary');
    });

    await announceIn({ traceparent: `00-${traces[0]}-b7ad6b7169203331-01` });
    await eventually(() => expect(said().at(-1)?.msg).toBe('event could not be applied and was set aside'));
    await collector.flush();

    const consumed = collector.spans.filter(({ kind }) => kind === 'consumer');
    expect(consumed.length).toBeGreaterThan(0);
    expect(consumed.every(({ hasFailed, traceId }) => hasFailed && traceId === traces[0])).toBe(true);
    expect(new Set(said().map(({ traceId }) => traceId))).toEqual(new Set([traces[0]]));
    expect(collector.bodies.join('')).not.toContain('canary');
  });
});

describe('log lines of consumed events', () => {
  test('name the trace even without trace export', async () => {
    const { announceIn, said } = await line(() => undefined);

    for (const context of contexts) await announceIn(context, 3);
    await eventually(() => expect(said().reduce((sum, { count }) => sum + count, 0)).toBe(6));

    expect(said().every(({ traceId }) => /^[0-9a-f]{32}$/.test(traceId))).toBe(true);
  });
});
