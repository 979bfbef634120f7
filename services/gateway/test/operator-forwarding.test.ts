import { createPrivateKey } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints, type OperatorRole, operatorRoles } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import type { FakeService } from './support/fake-service.ts';
import { operatorAs } from './support/operators.ts';
import { type Merchant, sharedWorld, signerOf, verifierOf } from './support/world.ts';

const forwarded = endpoints.filter(
  ({ service, access }) => service === 'charges' && access.kind === 'operator',
);
const named = forwarded.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

const world = worldOfFile(sharedWorld);
let charges: FakeService;
let merchant: Merchant;
let operators: Map<OperatorRole, Awaited<ReturnType<typeof operatorAs>>>;

beforeAll(async () => {
  charges = world.services.charges;
  merchant = await world.approvedMerchant();
  const loggedIn = operatorRoles.map(async (role) => [role, await operatorAs(world, role)] as const);
  operators = new Map(await Promise.all(loggedIn));
});
beforeEach(() => void charges.requests.splice(0));

function operator(role: OperatorRole) {
  const found = operators.get(role);
  if (!found) throw new Error(`no operator is logged in as ${role}`);
  return found;
}

const id = newId();
const pathOf = ({ path }: Endpoint) => path.replace(':id', id);

function ask(endpoint: Endpoint, headers: Record<string, string>) {
  const isRead = endpoint.method === 'get';
  return world.call(`${pathOf(endpoint)}${isRead ? '?page=2&status=OPEN' : ''}`, {
    method: endpoint.method.toUpperCase(),
    headers,
    ...(isRead ? {} : { body: { resolution: 'ganha pelo lojista' } }),
  });
}

const refusalOf = async (endpoint: Endpoint, headers: Record<string, string>) => {
  const { status, code } = await ask(endpoint, headers);
  return `${status} ${code}`;
};

function identityAt(audience: string): unknown {
  return verifierOf(audience).verify(String(charges.last().headers['x-internal-identity']));
}

/** Signs an operator's token whose claims are changed. */
function forged(
  claims: Record<string, unknown>,
  key: string = world.gatewayKeys.privateKey,
): Record<string, string> {
  const good = { ...jwt.decode(operator('ADMIN').headers.authorization.slice(7), { json: true }) };
  const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  const token = jwt.sign({ ...good, ...claims }, privateKey, { algorithm: 'ES256' });
  return { authorization: `Bearer ${token}` };
}

test('all operator endpoints of charges are covered', () => {
  expect(named.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'get /v1/admin/charges',
      'get /v1/admin/charges/:id',
      'get /v1/admin/refunds',
      'post /v1/admin/disputes',
      'get /v1/admin/disputes',
      'post /v1/admin/disputes/:id/resolve',
      'get /v1/admin/unexpected-payments',
    ]),
  );
});

describe.each(named)('%s', (_name, endpoint) => {
  test('is forwarded with the operator’s identity, without the token', async () => {
    const { id: operatorId, headers } = operator('FINANCE');

    const { status } = await ask(endpoint, {
      ...headers,
      cookie: 'session=canary',
      'x-internal-identity': signerOf('gateway').sign(
        { kind: 'operator', operatorId: id, role: 'ADMIN' },
        'charges',
      ),
    });

    expect(status).toBe(200);
    const received = charges.last();
    const isRead = endpoint.method === 'get';
    expect([received.method.toLowerCase(), received.url]).toEqual([
      endpoint.method,
      `${pathOf(endpoint)}${isRead ? '?page=2&status=OPEN' : ''}`,
    ]);
    expect(received.body.toString()).toBe(isRead ? '' : '{"resolution":"ganha pelo lojista"}');
    expect(identityAt('charges')).toEqual({
      issuer: 'gateway',
      identity: { kind: 'operator', operatorId, role: 'FINANCE', factorAt: expect.any(Number) },
    });
    expect(() => identityAt('ledger')).toThrow('gateway');
    expect(Object.keys(received.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(authorization|cookie|x-api-key)$/)]),
    );
    expect(JSON.stringify(received.headers)).not.toContain(headers.authorization.slice(7));
  });

  test('is not forwarded for any other caller', async () => {
    const { key } = await world.newKey(merchant);
    const past = Math.floor(Date.now() / 1000) - 1;
    const refusals = {
      nobody: await refusalOf(endpoint, {}),
      key: await refusalOf(endpoint, { 'x-api-key': key }),
      merchant: await refusalOf(endpoint, merchant.bearer),
      expired: await refusalOf(endpoint, forged({ exp: past })),
      anotherKey: await refusalOf(endpoint, forged({}, newKeyPair().privateKey)),
      ofAService: await refusalOf(endpoint, forged({}, world.chargesKeys.privateKey)),
      unknownRole: await refusalOf(endpoint, forged({ role: 'ROOT' })),
      forMerchants: await refusalOf(endpoint, forged({ aud: 'merchants' })),
      identity: await refusalOf(endpoint, {
        authorization: `Bearer ${signerOf('gateway').sign({ kind: 'operator', operatorId: id, role: 'ADMIN' }, 'operators')}`,
      }),
      identityOnly: await refusalOf(endpoint, {
        'x-internal-identity': signerOf('gateway').sign(
          { kind: 'operator', operatorId: id, role: 'ADMIN' },
          'charges',
        ),
      }),
    };

    expect(refusals).toEqual({
      nobody: '401 UNAUTHORIZED',
      key: '401 UNAUTHORIZED',
      merchant: '401 INVALID_TOKEN',
      expired: '401 TOKEN_EXPIRED',
      anotherKey: '401 INVALID_TOKEN',
      ofAService: '401 INVALID_TOKEN',
      unknownRole: '401 INVALID_TOKEN',
      forMerchants: '401 INVALID_TOKEN',
      identity: '401 INVALID_TOKEN',
      identityOnly: '401 UNAUTHORIZED',
    });
    expect(charges.requests).toEqual([]);
  });
});
