import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startGateway } from '../src/service.ts';
import { operatorAs } from './support/operators.ts';
import { type Sending, send } from './support/send.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;
let other: Awaited<ReturnType<typeof startGateway>>;
let admin: Awaited<ReturnType<typeof operatorAs>>;

beforeAll(async () => {
  world = await sharedWorld();
  other = await startGateway(world.env);
  admin = await operatorAs(world, 'ADMIN');
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

interface Case {
  what: string;
  path: string;
  sending: Sending;
  /** A change that is made at one replica. */
  change: () => Promise<unknown>;
  /** The response of both replicas before the change. */
  before: string;
  /** The response of both replicas after the change. */
  after: string;
}

const asAdmin = (path: string, method: string, body?: unknown) =>
  world.call(path, { method, headers: admin.headers, ...(body ? { body } : {}) });
const answersOf = ({ path, sending }: Case) =>
  Promise.all(
    [world.gateway.url, other.url].map(async (url) => {
      const { status, code } = await send(`${url}${path}`, sending);
      return `${status} ${code}`;
    }),
  );

async function aboutKeys(): Promise<Case[]> {
  const merchant = await world.approvedMerchant();
  const [revoked, rotated] = [await world.newKey(merchant), await world.newKey(merchant)];
  const asOwner = (path: string, method: string) => world.call(path, { method, headers: merchant.bearer });
  const used = { path: '/v1/balance', before: '200 ', after: '401 API_KEY_REVOKED' };
  return [
    {
      what: 'a revoked key',
      ...used,
      sending: { headers: { 'x-api-key': revoked.key } },
      change: () => asOwner(`/v1/api-keys/${revoked.id}`, 'DELETE'),
    },
    {
      what: 'a rotated key',
      ...used,
      sending: { headers: { 'x-api-key': rotated.key } },
      change: () => asOwner(`/v1/api-keys/${rotated.id}/rotate`, 'POST'),
    },
  ];
}

async function aboutMerchants(): Promise<Case[]> {
  const [gone, pending] = [await world.newMerchant(), await world.newMerchant()];
  const suspended = await world.approvedMerchant();
  const { key } = await world.newKey(suspended, { environment: 'production' });
  const stepOf = (id: string, step: string) => `/v1/admin/merchants/${id}/${step}`;
  return [
    {
      what: 'an ended session',
      path: '/v1/balance',
      sending: { headers: gone.bearer },
      change: () => world.call('/v1/auth/logout', { method: 'POST', headers: gone.bearer }),
      before: '200 ',
      after: '401 INVALID_TOKEN',
    },
    {
      what: 'an approval',
      path: '/v1/balance',
      sending: { headers: { ...pending.bearer, 'x-environment': 'production' } },
      change: () => asAdmin(stepOf(pending.id, 'approve'), 'POST'),
      before: '403 MERCHANT_NOT_APPROVED',
      after: '200 ',
    },
    {
      what: 'a suspension',
      path: '/v1/charges',
      sending: { method: 'POST', body: {}, headers: { 'x-api-key': key } },
      change: () => asAdmin(stepOf(suspended.id, 'suspend'), 'POST', { reason: 'looked into' }),
      before: '200 ',
      after: '403 MERCHANT_SUSPENDED',
    },
  ];
}

async function aboutOperators(): Promise<Case[]> {
  const [gone, demoted] = [await operatorAs(world, 'SUPPORT'), await operatorAs(world, 'ADMIN')];
  return [
    {
      what: 'an operator’s deactivation',
      path: '/v1/admin/charges',
      sending: { headers: gone.headers },
      change: () => asAdmin(`/v1/admin/operators/${gone.id}`, 'PATCH', { isActive: false }),
      before: '200 ',
      after: '401 INVALID_TOKEN',
    },
    {
      what: 'an operator’s new role',
      path: '/v1/admin/operators',
      sending: { headers: demoted.headers },
      change: () => asAdmin(`/v1/admin/operators/${demoted.id}`, 'PATCH', { role: 'SUPPORT' }),
      before: '200 ',
      after: '403 FORBIDDEN',
    },
  ];
}

test.each([
  ['keys', aboutKeys],
  ['merchants', aboutMerchants],
  ['operators', aboutOperators],
])('changes of %s at one replica reach the other’s cache', async (_what, of) => {
  const cases = await of();
  const expected = (pick: (one: Case) => string) => cases.map((one) => [one.what, pick(one), pick(one)]);
  const answersNow = () => Promise.all(cases.map(async (one) => [one.what, ...(await answersOf(one))]));
  expect(await answersNow()).toEqual(expected(({ before }) => before));

  for (const { change } of cases) await change();

  await eventually(async () => expect(await answersNow()).toEqual(expected(({ after }) => after)));
});
