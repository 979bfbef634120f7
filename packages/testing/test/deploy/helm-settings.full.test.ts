import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@plataforma/kernel';
import { z } from 'zod';
import { scratchFolders } from '../../src/scratch.ts';
import { chart, ofKind, render, type Values, workloadsOf } from './helm-chart.ts';
import { configOf, environmentOf, newSecrets, type Secrets } from './helm-settings.ts';
import { ownServers, pages, providers, sandbox } from './helm-variants.ts';

const scratchDir = scratchFolders();
const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks', 'sandbox-psp'];
const external = ['--postgresql', 'db.example:5432', '--rabbitmq', 'amqps://broker.example'];

/** Adds the secrets of the provider accounts, which the owner of the accounts creates by hand. */
function withAccounts(secrets: Secrets): Secrets {
  const account = (prefix: string, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [`${prefix}_${name}`, `the ${name}`]));
  const pix = ['CLIENT_ID', 'CLIENT_SECRET', 'KEY'];
  const of = (prefix: string, names: string[]) => ({
    ...account(`${prefix}_SANDBOX`, ...names),
    ...account(`${prefix}_PRODUCTION`, ...names),
  });
  return {
    ...secrets,
    'plataforma-charges': {
      ...secrets['plataforma-charges'],
      ...of('PIX', pix),
      ...of('CARD', ['SECRET_KEY', 'PUBLIC_KEY']),
    },
    'plataforma-withdrawals': { ...secrets['plataforma-withdrawals'], ...of('PAYOUT', pix) },
  };
}

/** Adds the secrets that the Kubernetes operators of PostgreSQL and RabbitMQ create. */
function withServers(secrets: Secrets): Secrets {
  const owner = (service: string) => ({ username: service, password: 'of-the-owner' });
  return {
    ...secrets,
    ...Object.fromEntries(services.map((name) => [`plataforma-${name}-db-app`, owner(name)])),
  };
}

async function environments(values: Values, secrets: Secrets) {
  const manifests = await render(values);
  return workloadsOf(manifests).flatMap(({ kind, template }) =>
    template.spec.containers.map((container) => ({
      kind,
      service: container.command[1]?.split('/')[1] ?? '',
      container,
      environment: environmentOf(container, manifests, secrets),
    })),
  );
}

const withBoth = { ...pages, services: { ...pages.services, ...sandbox.services } };

/** Settings that only a service with a database has. */
const ofADatabase = { START_DEADLINE_MS: 60_000, MIGRATE_ON_START: false };
const hasDatabase = ({ service }: { service: string }) => service !== 'web';

const installations: [string, Values, () => Promise<Secrets>][] = [
  ['servers of others', {}, () => newSecrets(scratchDir(), ...external)],
  ['the sandbox', sandbox, () => newSecrets(scratchDir(), ...external, '--sandbox')],
  ['all providers', providers, async () => withAccounts(await newSecrets(scratchDir(), ...external))],
  ['servers of its own', ownServers, async () => withServers(await newSecrets(scratchDir()))],
  ['pages', pages, () => newSecrets(scratchDir(), ...external)],
  [
    'everything',
    { ...ownServers, ...providers, ...withBoth, traces: { endpoint: 'http://collector:4318' } },
    async () => withServers(withAccounts(await newSecrets(scratchDir(), '--sandbox'))),
  ],
];

describe.each(installations)('with %s', (_name, values, secretsOf) => {
  test('every service has all settings that it requires', async () => {
    const deployed = (await environments(values, await secretsOf())).filter(
      ({ kind }) => kind === 'Deployment',
    );

    expect(deployed.length).toBeGreaterThanOrEqual(5);
    for (const { service, environment } of deployed) {
      const config = readConfig(await configOf(service), environment);
      expect(config).toMatchObject({
        PORT: 8080,
        DRAIN_MS: 5_000,
        KEEP_ALIVE_MS: 75_000,
        METRICS_PORT: 9464,
        ...(hasDatabase({ service }) ? ofADatabase : {}),
      });
    }
  });

  test('no service has an unknown setting', async () => {
    const ofAddresses = /^(MIGRATION_)?DATABASE_(USER|PASSWORD)$/;
    const ofTheProcess = ['NODE_ENV', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

    for (const { kind, service, environment } of await environments(values, await secretsOf())) {
      const settings = [...Object.keys((await configOf(service)).shape), ...ofTheProcess];
      const unknown = Object.keys(environment).filter(
        (name) => !settings.includes(name) && !ofAddresses.test(name),
      );
      expect({ service, kind, unknown }).toEqual({ service, kind, unknown: [] });
    }
  });

  test('only migrations have the database owner’s address', async () => {
    for (const { kind, environment } of (await environments(values, await secretsOf())).filter(hasDatabase)) {
      const owner = environment.MIGRATION_DATABASE_URL;
      expect(URL.canParse(environment.DATABASE_URL ?? '')).toBe(true);
      expect(environment.DATABASE_URL).not.toContain('$(');
      if (kind === 'Deployment') expect(owner).toBeUndefined();
      else expect(new URL(owner ?? '').username).not.toBe(new URL(environment.DATABASE_URL ?? '').username);
    }
  });

  test('files in settings are on mounted volumes', async () => {
    for (const { environment, container } of await environments(values, await secretsOf())) {
      const files = Object.entries(environment)
        .filter(([name]) => name.endsWith('_FILE'))
        .map(([, file]) => file);
      const authority = URL.parse(environment.DATABASE_URL ?? '')?.searchParams.get('sslrootcert');
      for (const file of authority ? [...files, authority] : files) {
        expect(container.volumeMounts.map(({ mountPath }) => file.startsWith(`${mountPath}/`))).toContain(
          true,
        );
      }
    }
  });
});

test('the chart, its Secrets or its values cover every setting', async () => {
  const schema = z
    .object({
      properties: z.object({
        services: z.object({
          properties: z.record(
            z.string(),
            z.looseObject({ properties: z.object({ config: z.object({ properties: z.looseObject({}) }) }) }),
          ),
        }),
      }),
    })
    .parse(JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')));
  const secrets = withServers(withAccounts(await newSecrets(scratchDir(), '--sandbox')));
  const rendered = await environments({ ...ownServers, ...providers, ...withBoth }, secrets);
  // No service gets this setting, because a Job of the chart migrates the databases.
  const never = ['MIGRATION_DATABASE_URL'];

  for (const { kind, service, environment } of rendered) {
    if (kind !== 'Deployment') continue;
    const choices = Object.keys(
      schema.properties.services.properties[service]?.properties.config.properties ?? {},
    );
    const settings = Object.keys((await configOf(service)).shape);
    const missing = settings.filter(
      (name) => ![...Object.keys(environment), ...choices, ...never].includes(name),
    );
    expect({ service, missing }).toEqual({ service, missing: [] });
    expect(choices.filter((name) => !settings.includes(name))).toEqual([]);
  }
});

test('a configured value replaces the default, with big numbers exact', async () => {
  const [map] = ofKind(
    await render({
      services: {
        withdrawals: { config: { FOUR_EYES_THRESHOLD: 50_000_000, QR_TRUSTED_HOSTS: 'bank.example:80' } },
        ...sandbox.services,
      },
    }),
    'ConfigMap',
  ).filter(({ metadata }) => metadata.name === 'plataforma-withdrawals');

  expect(map?.data).toMatchObject({ FOUR_EYES_THRESHOLD: '50000000', QR_TRUSTED_HOSTS: 'bank.example:80' });
});

test('new secrets are random, owner-only and never overwritten', async () => {
  const folder = scratchDir();
  const first = await newSecrets(folder, '--sandbox');
  const second = await newSecrets(scratchDir(), '--sandbox');

  const all = (secrets: Secrets) => new Set(Object.values(secrets).flatMap((each) => Object.values(each)));
  const shared = [...all(first)].filter((text) => all(second).has(text));
  expect(shared.filter((text) => !/^(\w+_app|operator@.*|sandbox(@.*)?|pk_sandbox)$/.test(text))).toEqual([]);
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  await expect(newSecrets(folder)).rejects.toThrow('EEXIST');
});
