import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { brokerUsers } from '@plataforma/events';
import { newTestFolder } from '../../src/test-folders.ts';
import { chart } from './helm-chart.ts';
import { newSecrets } from './helm-settings.ts';

const run = promisify(execFile);
const root = join(chart, '..', '..', '..');

test('the chart grants services the broker permissions that code declares', async () => {
  const printed = await run(process.execPath, [join(root, 'packages/local/src/broker-plan.ts')]);
  const committed = await readFile(join(chart, 'files', 'broker.json'), 'utf8');

  // If this fails, update the file: node packages/local/src/broker-plan.ts >
  // deploy/helm/plataforma/files/broker.json
  expect(JSON.parse(committed)).toEqual(JSON.parse(printed.stdout));
});

test('Secrets and broker definitions agree on each service’s login', async () => {
  const folder = join(await newTestFolder(), 'secrets');

  const secrets = await newSecrets(folder, '--rabbitmq', 'amqps://broker.example:5671/pay');

  const { users, permissions, queues } = JSON.parse(
    await readFile(join(folder, 'broker-definitions.json'), 'utf8'),
  );
  const passwords = new Map(
    users.map((each: { name: string; password: string }) => [each.name, each.password]),
  );
  for (const user of brokerUsers) {
    const own = secrets[`plataforma-${user}`];
    if (!own) continue;
    const url = new URL(own.AMQP_URL ?? '');
    expect([url.username, url.password]).toEqual([user, passwords.get(user)]);
    expect([url.host, url.pathname]).toEqual(['broker.example:5671', '/pay']);
  }
  expect(new Set([...permissions, ...queues].map(({ vhost }: { vhost: string }) => vhost))).toEqual(
    new Set(['pay']),
  );
  expect(new Set(passwords.values()).size).toBe(brokerUsers.length);
});

test('a broker address that contains a login is refused', async () => {
  const folder = join(await newTestFolder(), 'secrets');

  await expect(newSecrets(folder, '--rabbitmq', 'amqps://all:one@broker.example')).rejects.toThrow(/a login/);
});
