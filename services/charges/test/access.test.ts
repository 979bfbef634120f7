import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api, type Scope } from '@plataforma/contracts';
import { createSigner, IDENTITY_HEADER } from '@plataforma/http';
import { newKeyPair } from '@plataforma/testing';
import { CALLBACK_SECRET, newOrder } from './support/client.ts';
import {
  anonymousHeader,
  gateway,
  headerWith,
  ledger,
  merchantHeader,
  newTenant,
} from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const created = api.createCharge.data;
const someId = '01a1fd91-d11a-77b1-a286-715e021c9c9b';

/** Every door of the service, and the scopes that open it. */
const doors: { method: string; path: string; body?: unknown; opens: Scope[] }[] = [
  { method: 'POST', path: '/v1/charges', body: newOrder(), opens: ['charges:write'] },
  { method: 'GET', path: '/v1/charges', opens: ['charges:read', 'charges:write'] },
  { method: 'GET', path: `/v1/charges/${someId}`, opens: ['charges:read', 'charges:write'] },
  { method: 'DELETE', path: `/v1/charges/${someId}`, opens: ['charges:write'] },
  { method: 'POST', path: `/v1/charges/${someId}/simulate-payment`, opens: ['charges:write'] },
  { method: 'POST', path: `/v1/sandbox/charges/${someId}/pay`, opens: ['charges:write'] },
];
const publicDoors = [
  { method: 'GET', path: `/v1/charges/${someId}/checkout` },
  { method: 'POST', path: `/callbacks/pix/${CALLBACK_SECRET}`, body: { pix: [] } },
  { method: 'POST', path: `/callbacks/pix/${CALLBACK_SECRET}/pix`, body: { pix: [] } },
];

const through = (door: { method: string; path: string; body?: unknown }, headers: Record<string, string>) =>
  world.client.send(door.path, { ...door, headers });

const merchant = { kind: 'merchant', ...newTenant(), scopes: ['charges:write' as const] } as const;
const claims = { ...merchant, scopes: [...merchant.scopes] };
const stranger = createSigner('gateway', newKeyPair().privateKey);

/** A true token whose claims were changed afterwards. */
function tampered(): string {
  const [header, , signature] = gateway.sign(claims, 'charges').split('.');
  const changed = { ...claims, iss: 'gateway', aud: 'charges', exp: 9_999_999_999 };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

/** Claims without a signature, as `alg: none` has it. */
function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { ...claims, iss: 'gateway', aud: 'charges', exp: 9_999_999_999 };
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}.`;
}

/** A token the gateway signed more than a minute ago. */
function expired(): string {
  const now = Date.now;
  try {
    Date.now = () => now() - 61_000;
    return gateway.sign(claims, 'charges');
  } finally {
    Date.now = now;
  }
}

describe('a call without a valid identity', () => {
  const identities: [string, () => Record<string, string>][] = [
    ['none', () => ({})],
    ['nonsense', () => headerWith('nonsense')],
    ['one signed by a stranger', () => headerWith(stranger.sign(claims, 'charges'))],
    ['one that was tampered with', () => headerWith(tampered())],
    ['one without a signature', () => headerWith(unsigned())],
    ['one that is over', () => headerWith(expired())],
    ['one meant for another service', () => headerWith(gateway.sign(claims, 'ledger'))],
  ];

  test.each(identities)('is a 401 at every door: %s', async (_what, headers) => {
    const answers = await Promise.all([...doors, ...publicDoors].map((door) => through(door, headers())));

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(answers.length).fill([401, 'UNAUTHORIZED']),
    );
  });

  test.each<[string, () => Record<string, string>]>([
    ['nobody’s', () => anonymousHeader()],
    ['a service’s', () => headerWith(gateway.sign({ kind: 'service' }, 'charges'))],
    ['a merchant’s that another service vouches for', () => headerWith(ledger.sign(claims, 'charges'))],
  ])('is a 401 at a merchant’s door: %s', async (_what, headers) => {
    const answers = await Promise.all(doors.map((door) => through(door, headers())));

    expect(answers.map(({ status }) => status)).toEqual(Array(doors.length).fill(401));
  });

  test('is refused before its body is looked at', async () => {
    const { status } = await world.client.send('/v1/charges', {
      method: 'POST',
      headers: {},
      body: { amount: 1 },
    });

    expect(status).toBe(401);
  });
});

describe('an API key without the scope', () => {
  const all: Scope[] = ['charges:read', 'charges:write', 'wallet:read', 'withdrawals:write'];

  test.each(doors)('is a 403 that names the scope at $method $path', async (door) => {
    const others = all.filter((scope) => !door.opens.includes(scope));

    const { status, error } = await through(door, merchantHeader(newTenant(), others));

    expect([status, error?.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(error?.message).toContain(door.opens.join(' or '));
  });

  test.each(doors)('gets through with one of them at $method $path', async (door) => {
    const answers = await Promise.all(
      door.opens.map((scope) => through(door, merchantHeader(newTenant(), [scope]))),
    );

    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
  });
});

describe('an id that finds nothing', () => {
  test.each([someId, someId.toUpperCase(), '1', '%00', `${someId}'--`])('is a 404: %s', async (id) => {
    const tenant = newTenant();

    const answers = await Promise.all([
      world.client.read(tenant, id),
      world.client.cancel(tenant, id),
      world.client.simulate(tenant, id),
      world.client.checkout(id),
    ]);

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(4).fill([404, 'NOT_FOUND']),
    );
  });
});

test('the identity travels in a header the gateway takes away from callers', () => {
  expect(IDENTITY_HEADER).toMatch(/^x-internal-/);
});

describe('another merchant, or the other environment', () => {
  test('uses the same externalId for a charge of its own', async () => {
    const tenant = newTenant();
    const order = newOrder();

    const answers = await Promise.all(
      [tenant, newTenant(), { ...tenant, environment: 'production' as const }].map((one) =>
        world.client.create(one, order),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ data }) => created.parse(data).txid)).size).toBe(3);
  });

  test('finds neither the charge nor anything to do with it', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant);
    const others = [newTenant(), { ...tenant, environment: 'production' as const }];

    const answers = await Promise.all(
      others.flatMap((other) => [
        world.client.read(other, id),
        world.client.cancel(other, id),
        ...(other.environment === 'sandbox' ? [world.client.simulate(other, id)] : []),
      ]),
    );

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(5).fill([404, 'NOT_FOUND']),
    );
    expect((await world.client.list(newTenant())).data).toEqual([]);
    expect((await world.client.charge(tenant, id)).status).toBe('PENDING');
  });
});
