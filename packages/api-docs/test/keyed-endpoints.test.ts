import { describe, expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';

const step = 'a step of an existing object: the second one is refused or changes nothing';
const steps = (path: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${path}/${name}`, step]));
const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'];

/** All POST endpoints that ignore `Idempotency-Key`, with the reason. */
const unkeyed: Record<string, string> = {
  '/v1/auth/register': 'the second is ACCOUNT_EXISTS, and its sender logs in',
  '/v1/auth/login': 'another session does no harm',
  '/v1/admin/audit-epochs': 'the first epoch ends the difference: a second one is refused',
  '/v1/admin/auth/login': 'another session does no harm',
  '/v1/admin/auth/refresh': 'another token does no harm',
  '/v1/admin/auth/confirm': 'the code works once, and the sender confirms with the next code',
  '/v1/admin/auth/confirm/options': 'another challenge does no harm',
  '/v1/admin/auth/passkeys/options': 'another challenge does no harm',
  '/v1/admin/auth/passkeys': 'the second is INVALID_PASSKEY; the sender lists the passkeys',
  '/v1/admin/auth/password': 'the second is INVALID_CREDENTIALS; the sender logs in with the new password',
  '/v1/auth/password': 'the second is INVALID_CREDENTIALS; the sender logs in with the new password',
  '/v1/auth/refresh': 'another token does no harm',
  '/v1/auth/logout': step,
  '/v1/withdrawals/decode-qr': 'creates nothing',
  '/v1/quotes': 'creates nothing',
  '/v1/payment-links/:slug/checkouts': 'a visit takes no use, and the visit with the only use is joined',
  '/v1/checkouts/:id/pix': 'the second is answered with the existing code',
  '/v1/checkouts/:id/card-form': 'the second shares the use of the first',
  '/v1/checkouts/:id/card': 'the same token is the same attempt',
  ...steps('/v1/admin/merchants/:id', 'approve', 'reject', 'suspend', 'reactivate'),
  '/v1/sandbox/disputes/:id/resolve': step,
  '/v1/sandbox/provider': 'a repeated change has no effect',
  ...steps('/v1/sandbox/withdrawals/:id', 'hold', 'approve', 'reject', 'complete', 'fail'),
  '/v1/admin/disputes/:id/resolve': step,
  ...steps('/v1/admin/withdrawals/:id', 'approve', 'reject', 'complete', 'fail', 'debit', 'fail-undebited'),
  '/v1/admin/charges/alarms/:id/settle': step,
  '/v1/admin/withdrawals/alarms/:id/settle': step,
  '/v1/admin/proposals/:id/reject': step,
  '/v1/admin/stops': 'the second finds the stop; a stored answer would be wrong after the stop ends',
  '/v1/admin/stops/:id/start': step,
  ...Object.assign({}, ...services.map((name) => steps(`/v1/admin/${name}/dead-letters/:id`, 'replay'))),
};

const all: [string, Endpoint][] = Object.entries(api);
const posts = all.filter(([, { method }]) => method === 'post');
const keyed = all.filter(([, endpoint]) => endpoint.keyed);

describe('Idempotency-Key', () => {
  test('is honoured by every POST without a listed exception', () => {
    const others = posts.filter(([, endpoint]) => !endpoint.keyed).map(([, { path }]) => path);

    expect(others.sort()).toEqual(Object.keys(unkeyed).sort());
  });

  test('is promised only for POST', () => {
    expect(keyed.filter(([, { method }]) => method !== 'post')).toEqual([]);
  });
});

describe('an idempotency record', () => {
  const SECRET = /"(secret|password|key|accessToken|refreshToken)":/;
  const schemasOf = (endpoint: Endpoint) =>
    [schemaOf(endpoint, 'body'), endpoint.data].map((schema) =>
      JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    );

  test.each(keyed)('is sealed if it contains a secret: %s', (_name, endpoint) => {
    const holdsOne = schemasOf(endpoint).some((schema) => SECRET.test(schema));

    expect(endpoint.carriesSecret === true).toBe(holdsOne);
  });
});
