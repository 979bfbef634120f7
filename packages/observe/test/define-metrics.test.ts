import { expect, test } from '@jest/globals';
import { defineMetrics } from '../src/index.ts';

const metrics = defineMetrics({
  plataforma_test_waiting: { kind: 'gauge', help: 'What waits.', labels: ['queue'] },
  plataforma_test_total: { kind: 'counter', help: 'What came.', labels: ['outcome'] },
});

test('a gauge value contains its metric’s definition', () => {
  expect(metrics.gauge('plataforma_test_waiting', { queue: 'first' }, 7)).toEqual({
    metric: { name: 'plataforma_test_waiting', kind: 'gauge', help: 'What waits.', labels: ['queue'] },
    labels: { queue: 'first' },
    value: 7,
  });
});

test('only defined names, kinds and labels compile', () => {
  const count = metrics.recorder('plataforma_test_total');

  // @ts-expect-error: no such metric
  expect(() => metrics.recorder('plataforma_test_totals')).toThrow('is not defined');
  // @ts-expect-error: a gauge is not recorded
  metrics.recorder('plataforma_test_waiting');
  // @ts-expect-error: a counter is not read
  metrics.gauge('plataforma_test_total', { outcome: 'done' }, 1);
  // @ts-expect-error: no such label
  expect(count({ result: 'done' }, 1)).toBeUndefined();
});
