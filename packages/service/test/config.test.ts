import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { callbackSecrets, signingKey, trustedKeys } from '@plataforma/http';
import { ConfigError, readConfig, setting } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import { connectionLimitOf, serviceSettings } from '../src/index.ts';

const taker = fileURLToPath(new URL('./support/taken-settings.ts', import.meta.url));
const schema = z.object({ ...serviceSettings, SERVICE_KEY: signingKey, TRUSTED_KEYS: trustedKeys });
const { privateKey, publicKey } = newKeyPair();
const onAnotherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const right = {
  PORT: '8080',
  DATABASE_URL: 'postgres://me:hunter2@db.example/ledger',
  SERVICE_KEY: privateKey,
  TRUSTED_KEYS: JSON.stringify({ gateway: publicKey }),
};

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return 'no ConfigError';
}

describe('a configuration', () => {
  test('removes its settings from the environment of the process', async () => {
    const other = { NODE_ENV: 'production', OTEL_SERVICE_NAME: 'ledger' };
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: right.DATABASE_URL, PORT: '8080', ...other };

    const { stdout } = await promisify(execFile)(process.execPath, [taker], { env });

    const { config, env: left } = JSON.parse(stdout);
    expect(config).toMatchObject({ DATABASE_URL: right.DATABASE_URL, PORT: 8080, NODE_ENV: 'production' });
    expect(left).toMatchObject(other);
    expect(Object.keys(left)).not.toEqual(expect.arrayContaining(['PORT']));
    expect(stdout.split('hunter2')).toHaveLength(2);
  });

  test('is read with its defaults', () => {
    const config = readConfig(schema, right);

    expect(config).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 8080,
      DATABASE_POOL_SIZE: 10,
      DATABASE_READS_POOL_SIZE: 4,
      MESSAGES_RETENTION_DAYS: 30,
      MIGRATE_ON_START: false,
      START_DEADLINE_MS: 60_000,
      LOG_LEVEL: 'info',
    });
    expect([...config.TRUSTED_KEYS.keys()]).toEqual(['gateway']);
  });

  test('names all errors at once, one a line', () => {
    const wrong = {
      ...right,
      PORT: 'http',
      DATABASE_URL: '',
      DATABASE_POOL_SIZE: '1',
      MIGRATE_ON_START: 'yes',
      START_DEADLINE_MS: '1 minute',
    };

    const lines = messageOf(wrong).split('\n').slice(1);

    expect(lines.map((line) => line.trim().split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'MIGRATE_ON_START',
      'START_DEADLINE_MS',
    ]);
    expect(lines[1]).toBe('  DATABASE_URL: is missing');
  });

  test('never prints a value in its errors', () => {
    const secret = 'canary-4711';
    const others = ['HOST', 'LOG_LEVEL', 'DATABASE_POOL_SIZE', 'MIGRATE_ON_START', 'MIGRATION_DATABASE_URL'];
    const names = [...Object.keys(right), ...others];
    const wrong = Object.fromEntries(names.map((name) => [name, secret]));

    const message = messageOf(wrong);

    expect(message).toContain('  DATABASE_URL');
    expect(message).toContain('  MIGRATION_DATABASE_URL');
    expect(message).not.toContain(secret);
  });

  test('reads the host names of a listener from a list', () => {
    expect(readConfig(schema, { ...right, HOST_NAMES: 'Pay.test, bank' }).HOST_NAMES).toEqual([
      'pay.test',
      'bank',
    ]);
    expect(messageOf({ ...right, HOST_NAMES: 'http://pay.test' })).toContain('HOST_NAMES');
  });

  test('treats an empty variable as missing', () => {
    const config = readConfig(schema, { ...right, HOST: '', LOG_LEVEL: '' });

    expect(config).toMatchObject({ HOST: '0.0.0.0', LOG_LEVEL: 'info' });
  });

  test.each([
    ['is not a key', 'bm90IGEga2V5'],
    ['is a public key', publicKey],
    ['is on another curve', onAnotherCurve.export({ format: 'der', type: 'pkcs8' }).toString('base64')],
  ])('refuses a signing key that %s', (_what, SERVICE_KEY) => {
    const message = messageOf({ ...right, SERVICE_KEY });

    expect(message).toContain('SERVICE_KEY: must be a P-256 private key');
    expect(message).not.toContain(SERVICE_KEY);
  });

  test.each([
    ['are not JSON', 'gateway'],
    ['contain other values instead of keys', JSON.stringify({ gateway: 'bm90IGEga2V5' })],
    ['contain another value next to a key', JSON.stringify({ gateway: [publicKey, 'bm90IGEga2V5'] })],
    ['name a service without a key', JSON.stringify({ gateway: [] })],
  ])('refuses trusted keys that %s', (_what, TRUSTED_KEYS) => {
    const message = messageOf({ ...right, TRUSTED_KEYS });

    expect(message).toContain('TRUSTED_KEYS: must be a JSON object of base64 SPKI public keys by service');
  });

  test('accepts one callback secret or several separated by commas', () => {
    const read = (text: string) => callbackSecrets.parse(text);

    expect(read('a-secret-of-callbacks')).toEqual(['a-secret-of-callbacks']);
    expect(read('a-secret-of-callbacks, the-next-of-callbacks')).toEqual([
      'a-secret-of-callbacks',
      'the-next-of-callbacks',
    ]);
  });

  test.each([
    'fifteen-letters',
    'a-secret-of-callbacks,short',
    'a-secret-of-callbacks,',
    ',',
    'ten-letters,ten-letters',
  ])('refuses %j as callback secrets, which need 16 characters', (text) => {
    expect(callbackSecrets.safeParse(text).error?.issues).toMatchObject([
      {
        message:
          'must be at least 16 characters long; a comma separates two secrets, each so long, and is part of none',
      },
    ]);
  });

  test('accepts only true and false as a flag', () => {
    expect(['true', 'false', undefined].map((value) => setting.flag.parse(value))).toEqual([
      true,
      false,
      false,
    ]);
    expect(setting.flag.safeParse('1').success).toBe(false);
  });
});

test.each([
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['2001:db8:9::1', null],
])('connections of %s belong to the IPv6 site %s', (address, site) => {
  const limit = connectionLimitOf({ CONNECTIONS_PER_ADDRESS: 10, TRUSTED_PROXIES: ['2001:db8:9::/48'] });

  expect(limit.siteOf?.(address)).toBe(site);
});
