import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { mistakesIn } from './expressions.ts';
import { findPromtool } from './promtool.ts';

const run = promisify(execFile);

const deploy = new URL('../../../../deploy/', import.meta.url).pathname;
const rules = readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8');
const runbook = readFileSync(join(deploy, '../docs/operate/alerts.md'), 'utf8');

const alerts = rules.split(/^ {6}- alert: /m).slice(1);
const nameOf = (alert: string) => /^\w+/.exec(alert)?.[0] ?? '';
const expressionOf = (alert: string) => /^ {8}expr: ([\s\S]*?)\n {8}\w+:/m.exec(alert)?.[1] ?? '';

describe('alerts', () => {
  test('use only existing metrics and labels', () => {
    expect(alerts.map(expressionOf)).not.toContain('');
    expect(alerts.flatMap((alert) => mistakesIn(expressionOf(alert)))).toEqual([]);
  });

  test('each have a severity, a summary and a runbook link', () => {
    for (const alert of alerts) {
      expect(alert).toMatch(/^ {10}severity: (critical|warning)$/m);
      expect(alert).toMatch(/^ {10}summary: ".+"$/m);
      expect(alert).toMatch(/^ {10}description: ".+"$/m);
      expect(alert).toContain(`runbook_url: docs/operate/alerts.md#${nameOf(alert).toLowerCase()}\n`);
    }
  });

  test('match the sections of the runbook one to one', () => {
    const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);

    expect(sections.toSorted()).toEqual([...new Set(alerts.map(nameOf))].toSorted());
  });
});

describe('Prometheus', () => {
  test('accepts the rules, and they fire only when they should', async () => {
    const promtool = await findPromtool();

    await run(promtool, ['check', 'rules', 'alerts.yaml'], { cwd: join(deploy, 'prometheus') });
    const tests = ['alerts.test.yaml', 'alerts-over-hours.test.yaml', 'alerts-over-days.test.yaml'];
    await run(promtool, ['test', 'rules', ...tests], { cwd: join(deploy, 'prometheus') });
  }, 600_000);

  test('accepts the example configurations', async () => {
    const promtool = await findPromtool();
    const folder = await mkdtemp(join(tmpdir(), 'scrape-'));
    try {
      for (const example of ['scrape.yaml', 'scrape-kubernetes.yaml']) {
        const text = await readFile(join(deploy, 'prometheus', example), 'utf8');
        // The discovery of Kubernetes pods is removed from the configuration, because the promtool of some
        // distributions does not support it.
        const found = text.replace(/kubernetes_sd_configs:\n\s+- role: pod/, 'static_configs: []');
        await writeFile(join(folder, example), found);
        await run(promtool, ['check', 'config', '--syntax-only', example], { cwd: folder });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('refuses wrong rules and failing tests of rules', async () => {
    const promtool = await findPromtool();
    const folder = await mkdtemp(join(tmpdir(), 'rules-'));
    try {
      const tests = await readFile(join(deploy, 'prometheus/alerts.test.yaml'), 'utf8');
      const [head, ...each] = tests.split(/^(?= {2}- name: )/m);
      const ofErrors = each.filter((one) => one.includes('ErrorsAnswered'));
      await writeFile(join(folder, 'alerts.yaml'), rules.replace('> 0.02', '> 0.5'));
      await writeFile(join(folder, 'alerts.test.yaml'), [head, ...ofErrors].join(''));
      await writeFile(join(folder, 'broken.yaml'), rules.replace('sum by (service)', 'sum by service'));

      await expect(run(promtool, ['check', 'rules', 'broken.yaml'], { cwd: folder })).rejects.toThrow();
      await expect(run(promtool, ['test', 'rules', 'alerts.test.yaml'], { cwd: folder })).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
