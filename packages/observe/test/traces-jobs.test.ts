import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, silent, tracing } from '@plataforma/testing/fixtures';
import { every } from '../src/index.ts';

const world = tracing();

describe('a scheduled job', () => {
  test('has its own trace, named in its log lines', async () => {
    const { flush } = await world.exporting();
    const { log, lines } = createCapturedLog();

    const job = every({ everyMs: 1, log, name: 'old keys', work: async () => log.info('forgotten') });
    await eventually(() => expect(lines.length).toBeGreaterThan(2));
    await job.stop();

    const spans = await flush();
    expect(spans).toHaveLength(lines.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(lines.length);
    expect(spans.map(({ traceId }) => traceId)).toEqual(lines.map((line) => JSON.parse(line).traceId));
    expect(spans[0]).toMatchObject({ name: 'job old keys', kind: 'internal', parentSpanId: '' });
  });

  test('that fails marks its trace as failed', async () => {
    const { flush } = await world.exporting();
    const { log, lines } = createCapturedLog();

    const job = every({
      everyMs: 1,
      log,
      name: 'old keys',
      work: () => Promise.reject(new TypeError('canary')),
    });
    await eventually(() => expect(lines.length).toBeGreaterThan(0));
    await job.stop();

    const [span] = await flush();
    expect(span).toMatchObject({ hasFailed: true, attributes: { 'error.type': 'TypeError' } });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ traceId: span?.traceId, job: 'old keys' });
    expect(world.collector.bodies.join('')).not.toContain('canary');
  });

  test('without work leaves no trace', async () => {
    const { flush } = await world.exporting();
    let runs = 0;

    const job = every({ everyMs: 1, log: silent, name: 'idle', work: async () => (runs += 1) });
    await eventually(() => expect(runs).toBeGreaterThan(3));
    await job.stop();

    expect(await flush()).toEqual([]);
  });
});
