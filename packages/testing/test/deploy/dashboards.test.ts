import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { mistakesIn } from './expressions.ts';

const folder = new URL('../../../../deploy/grafana/', import.meta.url);

const ofPrometheus = z.object({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) });

const dashboard = z.object({
  uid: z.string().regex(/^plataforma-[a-z]+$/),
  title: z.string(),
  schemaVersion: z.int().min(41),
  tags: z.array(z.string()),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z
    .array(
      z.object({
        id: z.int(),
        title: z.string().min(1),
        datasource: ofPrometheus,
        gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
        fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
        targets: z.array(z.object({ expr: z.string(), datasource: ofPrometheus })).min(1),
      }),
    )
    .max(12),
});

const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const dashboards = files.map((name) =>
  dashboard.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
);

test('every dashboard has a uid and a title of its own', () => {
  expect(dashboards.length).toBeGreaterThan(0);
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  expect(new Set(dashboards.map(({ title }) => title)).size).toBe(dashboards.length);
});

describe.each(dashboards.map((each) => [each.title, each] as const))(
  '%s',
  (_title, { panels, templating }) => {
    test('uses only existing metrics and labels', () => {
      expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => mistakesIn(expr)))).toEqual([]);
    });

    test('declares every variable that it uses', () => {
      const declared = new Set(templating.list.map(({ name }) => name));
      const used = JSON.stringify(panels).matchAll(/\$\{?([a-z]\w*)/g);

      expect(declared).toContain('datasource');
      expect([...used].map(([, name = '']) => name).filter((name) => !declared.has(name))).toEqual([]);
    });

    test('has panels that do not overlap', () => {
      const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
      );

      expect(new Set(taken).size).toBe(taken.length);
      expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    });
  },
);
