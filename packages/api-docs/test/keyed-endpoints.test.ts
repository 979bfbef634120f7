import { describe, expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';

const step = 'a step of something that exists: the second is refused, or finds it done';

/** Every POST that does not honour `Idempotency-Key`, and why it need not. */
const unkeyed: Record<string, string> = {
  '/v1/auth/register': 'the second is ACCOUNT_EXISTS, and whoever sent it logs in',
  '/v1/auth/login': 'one more session harms nobody',
  '/v1/admin/audit-epochs': 'an epoch that was begun ends the difference: a second one is refused',
  '/v1/admin/auth/login': 'one more session harms nobody',
  '/v1/admin/auth/password':
    'the second is INVALID_CREDENTIALS, and whoever sent it logs in with the new one',
  '/v1/auth/password': 'the second is INVALID_CREDENTIALS, and whoever sent it logs in with the new one',
  '/v1/auth/refresh': 'one more token harms nobody',
  '/v1/auth/logout': step,
  '/v1/withdrawals/decode-qr': 'creates nothing',
  '/v1/quotes': 'creates nothing',
  '/v1/payment-links/:slug/checkouts': 'a visit takes no use, and one that holds the only one is joined',
  '/v1/checkouts/:id/pix': 'the second is answered with the code there is',
  '/v1/checkouts/:id/card-form': 'the second keeps the use of the first',
  '/v1/checkouts/:id/card': 'the same token is the same attempt',
  '/v1/admin/merchants/:id/approve': step,
  '/v1/admin/merchants/:id/reject': step,
  '/v1/admin/merchants/:id/suspend': step,
  '/v1/admin/merchants/:id/reactivate': step,
  '/v1/sandbox/disputes/:id/resolve': step,
  '/v1/sandbox/provider': 'the same change again changes nothing',
  '/v1/sandbox/withdrawals/:id/hold': step,
  '/v1/sandbox/withdrawals/:id/approve': step,
  '/v1/sandbox/withdrawals/:id/reject': step,
  '/v1/sandbox/withdrawals/:id/complete': step,
  '/v1/sandbox/withdrawals/:id/fail': step,
  '/v1/admin/disputes/:id/resolve': step,
  '/v1/admin/withdrawals/:id/approve': step,
  '/v1/admin/withdrawals/:id/reject': step,
  '/v1/admin/withdrawals/:id/complete': step,
  '/v1/admin/withdrawals/:id/fail': step,
  '/v1/admin/withdrawals/:id/debit': step,
  '/v1/admin/withdrawals/:id/fail-undebited': step,
  '/v1/admin/charges/alarms/:id/settle': step,
  '/v1/admin/withdrawals/alarms/:id/settle': step,
  '/v1/admin/stops': 'the second finds it stopped; a kept answer would say so after it was started again',
  '/v1/admin/stops/:id/start': step,
  '/v1/admin/gateway/dead-letters/:id/replay': step,
  '/v1/admin/charges/dead-letters/:id/replay': step,
  '/v1/admin/withdrawals/dead-letters/:id/replay': step,
  '/v1/admin/ledger/dead-letters/:id/replay': step,
  '/v1/admin/webhooks/dead-letters/:id/replay': step,
};

const all: [string, Endpoint][] = Object.entries(api);
const posts = all.filter(([, { method }]) => method === 'post');
const keyed = all.filter(([, endpoint]) => endpoint.keyed);

describe('Idempotency-Key', () => {
  test('is honoured by every POST, but for those that are named with a reason', () => {
    const others = posts.filter(([, endpoint]) => !endpoint.keyed).map(([, { path }]) => path);

    expect(others.sort()).toEqual(Object.keys(unkeyed).sort());
  });

  test('is promised for POST only', () => {
    expect(keyed.filter(([, { method }]) => method !== 'post')).toEqual([]);
  });
});

describe('what is kept of a request and its answer', () => {
  const SECRET = /"(secret|password|key|accessToken|refreshToken)":/;
  const schemasOf = (endpoint: Endpoint) =>
    [schemaOf(endpoint, 'body'), endpoint.data].map((schema) =>
      JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    );

  test.each(keyed)('is sealed where it holds a secret: %s', (_name, endpoint) => {
    const holdsOne = schemasOf(endpoint).some((schema) => SECRET.test(schema));

    expect(endpoint.carriesSecret === true).toBe(holdsOne);
  });
});
