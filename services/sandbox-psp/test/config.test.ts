import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@plataforma/kernel';
import { send } from '@plataforma/testing/fixtures';
import { sandboxPspConfig } from '../src/config.ts';
import { ownBank } from './bank.ts';

const client = {
  id: 'shop',
  secret: 'secret-of-the-shop',
  pixKey: 'key',
  callbackUrl: 'http://localhost/callbacks',
};
const cards = {
  publicKey: 'pk_test_shop',
  secretKey: 'sk_test_of_the_shop',
  callbackUrl: 'http://localhost/acquirer',
};
const env = {
  PORT: '9000',
  CONTROL_PORT: '9001',
  PUBLIC_URL: 'http://127.0.0.1:9000/',
  DATABASE_URL: 'postgres://localhost/psp',
  CLIENTS: JSON.stringify([client]),
};

function complaint(overrides: NodeJS.ProcessEnv): string {
  try {
    readConfig(sandboxPspConfig, { ...env, ...overrides });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return '';
}

describe('the configuration', () => {
  test('has defaults', () => {
    const config = readConfig(sandboxPspConfig, env);

    expect(config).toMatchObject({
      PORT: 9000,
      CONTROL_HOST: '127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1:9000',
    });
    expect(config.CLIENTS.get('shop')).toEqual(client);
  });

  test.each([
    ['no public address beside a fixed port', { PUBLIC_URL: '' }, 'PUBLIC_URL: is missing'],
    [
      'a public address too long for a QR code',
      { PUBLIC_URL: `http://${'a'.repeat(49)}` },
      'PUBLIC_URL: must leave',
    ],
    ['a public address without http', { PUBLIC_URL: 'ftp://bank' }, 'PUBLIC_URL: '],
    ['no clients', { CLIENTS: '' }, 'CLIENTS: is missing'],
    ['an empty list of clients', { CLIENTS: '[]' }, 'CLIENTS: must be'],
    ['a duplicate client', { CLIENTS: JSON.stringify([client, client]) }, 'CLIENTS: must be'],
    [
      'one key of two clients',
      { CLIENTS: JSON.stringify([client, { ...client, id: 'other' }]) },
      'CLIENTS: must be',
    ],
    [
      'a malformed public key for cards',
      { CLIENTS: JSON.stringify([{ ...client, cards: { ...cards, publicKey: 'sk_test' } }]) },
      'CLIENTS: must be',
    ],
    [
      'a short secret key for cards',
      { CLIENTS: JSON.stringify([{ ...client, cards: { ...cards, secretKey: 'short' } }]) },
      'CLIENTS: must be',
    ],
    [
      'one card account of two clients',
      {
        CLIENTS: JSON.stringify([
          { ...client, cards },
          { ...client, id: 'other', pixKey: 'other', cards },
        ]),
      },
      'CLIENTS: must be',
    ],
    ['no port for the control API', { CONTROL_PORT: '' }, 'CONTROL_PORT: is missing'],
    ['production', { NODE_ENV: 'production' }, 'NODE_ENV: is production'],
  ])('%s is refused', (_case, overrides, message) => {
    expect(complaint(overrides)).toContain(message);
  });

  test('reports a wrong client without its secret', () => {
    const message = complaint({ CLIENTS: JSON.stringify([{ ...client, callbackUrl: 'nowhere' }]) });

    expect(message).toContain('CLIENTS: must be');
    expect(message).not.toContain(client.secret);
  });

  test.each([
    ['the port is any free port', { PORT: '0', PUBLIC_URL: '' }],
    ['a client takes cards', { CLIENTS: JSON.stringify([{ ...client, cards }]) }],
    ['it is allowed in production', { NODE_ENV: 'production', ALLOW_IN_PRODUCTION: 'true' }],
    ['the public address has 48 characters', { PUBLIC_URL: `https://${'a'.repeat(48)}` }],
  ])('is accepted when %s', (_case, overrides) => {
    expect(complaint(overrides)).toBe('');
  });
});

const bank = ownBank({ PUBLIC_URL: 'http://bank.test:9000' });

// The API must refuse foreign host names. A foreign site can resolve its name to this machine, and its page
// then has the same origin as the API.
test.each([
  ['localhost', 200],
  ['127.0.0.1:9001', 200],
  ['bank.test:9001', 200],
  ['evil.test', 404],
  ['bank', 404],
])('the control API answers the host %s with %s', async (host, status) => {
  const answers = await Promise.all([
    send(`${bank.controlUrl}/control/faults`, { headers: { host } }),
    send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers: { host } }),
  ]);

  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
});

test.each([
  [undefined, 200],
  ['none', 200],
  ['same-origin', 200],
  ['same-site', 403],
  ['cross-site', 403],
])('a browser’s change from site %s is answered %s', async (site, status) => {
  const headers = site ? { 'sec-fetch-site': site } : {};

  const change = await send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers });
  const read = await send(`${bank.controlUrl}/control/faults`, { headers });

  expect([change.status, read.status]).toEqual([status, 200]);
});

test.each([
  ['http://127.0.0.1:9001', 200],
  ['http://127.0.0.1:9002', 403],
  ['https://evil.test', 403],
  ['null', 403],
])('a browser’s change from origin %s is answered %s', async (origin, status) => {
  const headers = { origin, host: '127.0.0.1:9001' };

  const change = await send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers });

  expect(change.status).toBe(status);
});

test('an id with a NUL is not found at both listeners', async () => {
  const paths = ['chargeback', 'undo-chargeback', 'refuse-refunds'].map((end) => `/control/cards/%00/${end}`);
  const control = paths.map((path) => send(bank.controlUrl + path, { method: 'POST' }));
  const answers = await Promise.all([...control, send(`${bank.url}/core/v5/orders/%00`, {})]);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});
