import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addressRanges } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { recall, rememberAccounts, settingsFiles, writeSettings } from '@plataforma/local/compose';
import { z } from 'zod';
import { scratchFolders } from '../../src/scratch.ts';
import { type Composition, hasDatabase, readComposition, repository, text } from './composition.ts';

const scratchDir = scratchFolders();

let ours: string[];
let services: Composition['services'];
let volumes: Composition['volumes'];
let find: Composition['find'];

beforeAll(async () => {
  ours = await readdir(join(repository, 'services'));
  ({ services, volumes, find } = await readComposition());
});

describe('the settings of docker compose up', () => {
  const published = {
    apiUrl: 'http://127.0.0.1:9000',
    bankUrl: 'http://127.0.0.1:8090',
    webUrl: 'http://127.0.0.1:8081',
  };

  test('include every setting that services and migrations require', async () => {
    const files = settingsFiles(await recall(scratchDir()), published);

    for (const name of ours) {
      const module: object = await import(
        pathToFileURL(join(repository, 'services', name, 'src/config.ts')).href
      );
      const schemas = Object.values(module).filter((value) => value instanceof z.ZodType);
      const image = { HOST: '0.0.0.0', PORT: '8080', NODE_ENV: 'production' };
      const settings = parseEnv(files[`${name}/env`] ?? '');

      expect(schemas).toHaveLength(1);
      for (const schema of schemas) readConfig(schema, { ...settings, ...image });
      expect(settings).toMatchObject({ HOST: image.HOST, PORT: image.PORT });
      expect(Object.keys(settings)).not.toContain('MIGRATION_DATABASE_URL');
      expect(Object.keys(parseEnv(files[`migrations/${name}.env`] ?? '')).sort()).toEqual(
        hasDatabase(name) ? ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] : [],
      );
    }
  });

  test('change no limit of production', async () => {
    const files = settingsFiles(await recall(scratchDir()), published);
    const names = Object.keys(parseEnv(files['gateway/env'] ?? ''));

    expect(names).toContain('SEALING_KEYS');
    expect(names.filter((name) => /LIMIT|CONNECTIONS/.test(name))).toEqual([]);
  });

  test('let the gateway trust `web` and give `web` a login', async () => {
    const secrets = await recall(scratchDir());
    const files = settingsFiles(secrets, published);
    const [gateway, charges, web] = ['gateway', 'charges', 'web'].map((name) =>
      parseEnv(files[`${name}/env`] ?? ''),
    );

    expect(addressRanges.parse(gateway?.TRUSTED_PROXIES)).toContain('172.16.0.0/12');
    expect(gateway?.OPERATOR_ORIGINS).toBe(published.webUrl.replace('127.0.0.1', 'localhost'));
    expect([gateway?.WEB_URL, charges?.PUBLIC_CHECKOUT_URL]).toEqual([published.webUrl, published.webUrl]);
    expect(web).toMatchObject({
      GATEWAY_URL: 'http://gateway:8080',
      PUBLIC_URL: published.webUrl,
      PUBLIC_API_URL: published.apiUrl,
    });
    expect(URL.parse(web?.AMQP_URL ?? '')).toMatchObject({ username: 'web', host: 'rabbitmq:5672' });
    expect(web?.SEALING_KEYS).not.toBe(gateway?.SEALING_KEYS);
  });

  test('name only existing hosts', async () => {
    const files = settingsFiles(await recall(scratchDir()), published);
    // Only the host of each URL is compared, because the name and password before the @ may look like a host.
    const urls = Object.values(files).flatMap(
      (file) => file.match(/(?:https?|amqp|postgres):\/\/[^\s'",]+/g) ?? [],
    );
    const hosts = urls.map((url) => new URL(url).host);

    expect([...new Set(hosts)].sort()).toEqual([
      '127.0.0.1:8081',
      '127.0.0.1:8090',
      '127.0.0.1:9000',
      'charges:8080',
      'gateway:8080',
      'gateway:8081',
      'ledger:8080',
      'localhost:8081',
      'postgres:5432',
      'rabbitmq:5672',
      'sandbox-psp:8080',
      'sandbox-psp:8082',
      'webhooks:8080',
      'withdrawals:8080',
    ]);
  });

  test('reach each service by a volume that only it reads', async () => {
    const files = settingsFiles(await recall(scratchDir()), published);
    const writer = find('settings').volumes;
    const readers = Object.entries(services).filter(([, { build }]) => build?.target !== 'setup');

    for (const [name, { command, environment, volumes: mounts }] of readers) {
      const mounted = mounts.filter(({ target }) => target === '/run/settings');
      const read = [...command, ...Object.values(environment)].flatMap(
        (word) => word.match(/\/run\/settings\/\S+/g) ?? [],
      );
      const [volume = { source: '', read_only: false }] = mounted;
      const folder = writer.find(({ source }) => source === volume.source)?.target.slice('/settings/'.length);
      const others = readers.filter(([, other]) =>
        other.volumes.some(({ source }) => source === volume.source),
      );

      expect({ name, mounts: mounted.length, isReadOnly: volume.read_only }).toEqual({
        name,
        mounts: 1,
        isReadOnly: true,
      });
      for (const path of read)
        expect(Object.keys(files)).toContain(path.replace('/run/settings', folder ?? '?'));
      if (name.endsWith('-migrate')) expect(volume.source).toBe('migrations-settings');
      else expect(others.map(([other]) => other)).toEqual([name]);
    }
    const conf = await text('deploy/rabbitmq/rabbitmq.conf');
    expect(conf).toContain('load_definitions = /run/settings/definitions.json');
    expect(Object.keys(files)).toContain('rabbitmq/definitions.json');
    const mounted = Object.values(services).flatMap(({ volumes: all }) => all.map(({ source }) => source));
    expect([...new Set(mounted)].filter((source) => !source.startsWith('./')).sort()).toEqual(
      [...volumes].sort(),
    );
  });

  test('stay the same after a restart, like the demo merchant', async () => {
    const dir = scratchDir();
    const first = await recall(dir);
    await writeSettings(dir, settingsFiles(first, published));
    const demo = { ...first.secrets.demo, sandboxKey: 'a', liveKey: 'b' };
    const operator = { ...first.secrets.operator, totpSecret: 'GEZDGNBV' };
    await rememberAccounts(dir, { ...first.secrets, operator, demo });

    const second = await recall(dir);
    await writeSettings(dir, settingsFiles(second, published));

    expect(settingsFiles(second, published)).toEqual(settingsFiles(first, published));
    expect(second.secrets).toMatchObject({ operator, demo });
    expect(await readFile(join(dir, 'postgres', 'password'), 'utf8')).toBe(first.passwords.postgres);
  });

  test('differ between platforms, and no two passwords are equal', async () => {
    const { passwords } = await recall(scratchDir());
    const { passwords: others } = await recall(scratchDir());
    const all = [passwords, others].flatMap(({ postgres, rabbitmq, application, owner }) => [
      postgres,
      rabbitmq,
      ...Object.values(application),
      ...Object.values(owner),
    ]);

    expect(new Set(all).size).toBe(2 * (2 + 6 + 6));
  });
});
