import { createPrivateKey } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Endpoint, OperatorRole } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { echo, newKeyPair, send, serving, trusting, worldOfFile } from '@plataforma/testing/fixtures';
import jwt from 'jsonwebtoken';
import {
  createSigner,
  createVerifier,
  IDENTITY_HEADER,
  type MerchantIdentity,
  type OperatorIdentity,
  requireService,
  serveOperator,
} from '../src/index.ts';

const gateway = newKeyPair();
const charges = newKeyPair();
const ledger = newKeyPair();
const trusted = trusting({
  gateway: gateway.publicKey,
  charges: charges.publicKey,
  ledger: ledger.publicKey,
});
const verifier = createVerifier('charges', trusted);
const byGateway = createSigner('gateway', gateway.privateKey);
const operatorId = newId();
const merchant: MerchantIdentity = {
  kind: 'merchant',
  merchantId: newId(),
  environment: 'sandbox',
  scopes: ['wallet:read'],
};

const read = {
  ...echo,
  path: '/v1/admin/echo/:id',
  access: { kind: 'operator', roles: ['ADMIN', 'FINANCE', 'SUPPORT'] },
} as const satisfies Endpoint;
const change = {
  ...read,
  path: '/v1/admin/echo/:id/change',
  access: { kind: 'operator', roles: ['ADMIN', 'FINANCE'] },
} as const satisfies Endpoint;
const moves = { ...read, path: '/v1/admin/echo/:id/move', freshFactor: true } as const satisfies Endpoint;
const forMerchants = { ...echo, path: '/v1/admin/mistaken/:id' } as const;
const READ = '/v1/admin/echo/1';
const CHANGE = '/v1/admin/echo/1/change';

const identities: OperatorIdentity[] = [];

const server = worldOfFile(() =>
  serving((app) => {
    for (const endpoint of [read, change, moves, forMerchants]) {
      serveOperator(app, endpoint, {
        verifier,
        answer: async ({ body }, operator) => {
          identities.push(operator);
          return { data: { amount: body.amount } };
        },
      });
    }
    app.get('/for/any-service', (req, res) => {
      requireService(req, verifier);
      res.json({ success: true });
    });
    app.get('/for/the-ledger', (req, res) => {
      requireService(req, verifier, 'ledger', 'withdrawals');
      res.json({ success: true });
    });
  }),
);
afterEach(() => void identities.splice(0));

async function ask(path: string, identity?: string, method = 'GET'): Promise<string> {
  const body = method === 'POST' ? '{"amount":100}' : '';
  const headers = {
    ...(identity === undefined ? {} : { [IDENTITY_HEADER]: identity }),
    ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
  };
  const { status, text } = await send(`${server.url}${path}`, { method, headers, body });
  return `${status} ${JSON.parse(text).error?.code ?? 'success'}`;
}

const post = (path: string, identity?: string) => ask(path, identity, 'POST');
const operatorAs = (role: OperatorRole) => byGateway.sign({ kind: 'operator', operatorId, role }, 'charges');

function signed(changes: Record<string, unknown>, key = gateway.privateKey): string {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const good = { kind: 'operator', operatorId, role: 'ADMIN', iss: 'gateway', aud: 'charges', exp };
  const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  return jwt.sign({ ...good, ...changes }, privateKey, { algorithm: 'ES256' });
}

describe('an operators’ endpoint', () => {
  test.each<[string, OperatorRole]>([
    [READ, 'ADMIN'],
    [READ, 'FINANCE'],
    [READ, 'SUPPORT'],
    [CHANGE, 'ADMIN'],
    [CHANGE, 'FINANCE'],
  ])('%s is open to %s and receives the identity', async (path, role) => {
    expect(await post(path, operatorAs(role))).toBe('201 success');

    expect(identities).toEqual([{ kind: 'operator', operatorId, role }]);
  });

  test('for changes is closed to SUPPORT', async () => {
    expect(await post(CHANGE, operatorAs('SUPPORT'))).toBe('403 FORBIDDEN');

    expect(identities).toEqual([]);
  });

  test('declared for merchants by mistake is closed to every operator', async () => {
    expect(await post('/v1/admin/mistaken/1', operatorAs('ADMIN'))).toBe('403 FORBIDDEN');

    expect(identities).toEqual([]);
  });

  test('accepts a valid token signed by hand, as a control', async () => {
    expect(await post(CHANGE, signed({}))).toBe('201 success');
  });

  test.each<[string, () => string | undefined]>([
    ['a caller without an identity', () => undefined],
    ['an anonymous caller', () => byGateway.sign({ kind: 'anonymous' }, 'charges')],
    ['a merchant', () => byGateway.sign(merchant, 'charges')],
    ['the gateway on its own behalf', () => byGateway.sign({ kind: 'service' }, 'charges')],
    ['another service', () => createSigner('ledger', ledger.privateKey).sign({ kind: 'service' }, 'charges')],
    [
      'an operator in another service’s token',
      () =>
        createSigner('ledger', ledger.privateKey).sign(
          { kind: 'operator', operatorId, role: 'ADMIN' },
          'charges',
        ),
    ],
    ['an operator forged with another service’s key', () => signed({}, ledger.privateKey)],
    ['an operator with an unknown role', () => signed({ role: 'ROOT' })],
    ['an operator without a role', () => signed({ role: undefined })],
    ['an operator without an id', () => signed({ operatorId: undefined })],
    ['a merchant with an operator’s role', () => signed({ ...merchant, role: 'ADMIN' })],
  ])('is closed to %s', async (_who, identity) => {
    for (const path of [READ, CHANGE]) expect(await post(path, identity())).toBe('401 UNAUTHORIZED');

    expect(identities).toEqual([]);
  });
});

describe('an endpoint that needs a fresh second factor', () => {
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
  const withFactor = (factorAt: number | null | undefined) =>
    byGateway.sign(
      { kind: 'operator', operatorId, role: 'ADMIN', ...(factorAt !== undefined && { factorAt }) },
      'charges',
    );

  test.each<[string, number | null | undefined, string]>([
    ['accepts a factor of this minute', minutesAgo(0), '201 success'],
    ['accepts a factor of four minutes ago', minutesAgo(4), '201 success'],
    ['accepts the clock of a gateway that is ahead', minutesAgo(-1), '201 success'],
    ['refuses a factor of six minutes ago', minutesAgo(6), '403 SECOND_FACTOR_STALE'],
    ['refuses a session without a factor', null, '403 SECOND_FACTOR_STALE'],
    ['accepts a gateway of release 0.6.0, which sends none', undefined, '201 success'],
  ])('%s', async (_what, factorAt, outcome) => {
    expect(await post('/v1/admin/echo/1/move', withFactor(factorAt))).toBe(outcome);
    expect(await post(CHANGE, withFactor(factorAt))).toBe('201 success');
  });
});

describe('a route for services', () => {
  const asService = (name: 'charges' | 'ledger', audience = 'charges') =>
    createSigner(name, (name === 'ledger' ? ledger : charges).privateKey).sign({ kind: 'service' }, audience);

  test('with named services is open to those only', async () => {
    expect(await ask('/for/the-ledger', asService('ledger'))).toBe('200 success');
    expect(await ask('/for/the-ledger', asService('charges'))).toBe('401 UNAUTHORIZED');
  });

  test('without named services is open to every service', async () => {
    expect(await ask('/for/any-service', asService('ledger'))).toBe('200 success');
    expect(await ask('/for/any-service', asService('charges'))).toBe('200 success');
  });

  test.each<[string, () => string | undefined]>([
    ['a caller without an identity', () => undefined],
    ['an operator', () => operatorAs('ADMIN')],
    ['a merchant', () => byGateway.sign(merchant, 'charges')],
    ['an anonymous caller', () => byGateway.sign({ kind: 'anonymous' }, 'charges')],
    [
      'a merchant in the named service’s token',
      () => createSigner('ledger', ledger.privateKey).sign(merchant, 'charges'),
    ],
    ['the named service’s token for another audience', () => asService('ledger', 'gateway')],
    ['a token that forges the named service', () => signed({ kind: 'service', iss: 'ledger' })],
  ])('is closed to %s', async (_who, identity) => {
    for (const path of ['/for/the-ledger', '/for/any-service']) {
      expect(await ask(path, identity())).toBe('401 UNAUTHORIZED');
    }
  });
});
