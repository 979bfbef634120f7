import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, callbacks, type Endpoint, operatorRoles, scopes } from '@plataforma/contracts';
import { clientOf } from './client.ts';
import { createMatrix, type Matrix } from './matrix-cast.ts';
import { type Entry, entries, type Outcome, refused } from './matrix-entries.ts';
import type { Cast } from './world.ts';

let matrix: Matrix;

function promisedToMerchants({ access }: Endpoint, { passes, inProduction = passes }: Entry) {
  if (access.kind !== 'merchant') return {};
  const spends = access.spends ? '403 MERCHANT_SUSPENDED' : passes;
  const has = (scope: string) => access.anyOf.length === 0 || access.anyOf.some((one) => one === scope);
  return {
    nobody: '401 UNAUTHORIZED',
    'a malformed key': '401 INVALID_API_KEY',
    'a malformed token': '401 INVALID_TOKEN',
    'an ended session': '401 INVALID_TOKEN',
    'an expired token': '401 TOKEN_EXPIRED',
    ADMIN: '401 INVALID_TOKEN',
    'a revoked key': '401 API_KEY_REVOKED',
    'an expired key': '401 API_KEY_EXPIRED',
    'a key from elsewhere': '403 IP_NOT_ALLOWED',
    'a pending merchant in production': '403 MERCHANT_NOT_APPROVED',
    'a pending merchant': passes,
    'a suspended merchant': spends,
    'a suspended merchant’s token': spends,
    'a rejected merchant': spends,
    'a rejected merchant’s token': spends,
    'a rejected merchant in production': access.spends ? spends : '403 MERCHANT_NOT_APPROVED',
    'another merchant': passes,
    'another merchant’s token': passes,
    'owner in production': inProduction,
    'owner’s token in production': inProduction,
    ...Object.fromEntries(
      scopes.map((scope) => [
        `another merchant’s key for ${scope}`,
        has(scope) ? passes : '403 INSUFFICIENT_SCOPE',
      ]),
    ),
  };
}

function promisedToSessions({ access }: Endpoint, { passes, isFinal }: Entry) {
  if (access.kind !== 'bearer') return {};
  const letIn = [
    'another merchant’s token',
    'a pending merchant’s token',
    'a pending merchant in production',
  ];
  const barred = ['a suspended merchant’s token', 'a rejected merchant’s token'];
  return {
    nobody: '401 UNAUTHORIZED',
    owner: '401 UNAUTHORIZED',
    'a malformed token': '401 INVALID_TOKEN',
    'an ended session': '401 INVALID_TOKEN',
    'an expired token': '401 TOKEN_EXPIRED',
    ADMIN: '401 INVALID_TOKEN',
    ...(isFinal ? {} : Object.fromEntries([...letIn, ...barred].map((caller) => [caller, passes]))),
  };
}

function promisedToOperators({ access }: Endpoint, { passes }: Entry) {
  if (access.kind !== 'operator') return {};
  return {
    nobody: '401 UNAUTHORIZED',
    owner: '401 UNAUTHORIZED',
    'another merchant’s token': '401 INVALID_TOKEN',
    'a malformed token': '401 INVALID_TOKEN',
    'a deactivated operator': '401 INVALID_TOKEN',
    'an operator’s expired token': '401 TOKEN_EXPIRED',
    ...Object.fromEntries(
      operatorRoles.map((role) => [role, access.roles.includes(role) ? passes : '403 FORBIDDEN']),
    ),
  };
}

function promisedToAnybody({ access }: Endpoint, { passes }: Entry) {
  const callers = ['nobody', 'a malformed token', 'an expired token', 'owner'];
  return access.kind === 'public' ? Object.fromEntries(callers.map((caller) => [caller, passes])) : {};
}

interface Call {
  caller: string;
  /** The id in the path; the default is the id of the owner's object. */
  id?: string;
}

async function answerTo(endpoint: Endpoint, { thing = '', body }: Entry, { caller, id }: Call) {
  const headers = matrix.callers[caller];
  if (!headers) throw new Error(`there is no caller ${caller}`);
  const { baseUrl } = matrix.world.platform.facts;
  const path = endpoint.path.replace(/:\w+/, id ?? matrix.things[thing] ?? randomUUID());
  return clientOf(baseUrl, { headers }).call(endpoint.method.toUpperCase(), path, body ? { body } : {});
}

function outcomeIn({ status, body }: Awaited<ReturnType<typeof answerTo>>): Outcome {
  return [status, body.error?.code].filter(Boolean).join(' ');
}

function ownedIn(body: unknown): string[] {
  const text = JSON.stringify(body);
  return matrix.owned.filter((id) => text.includes(id));
}

const all: [string, Endpoint][] = Object.entries(api);

/**
 * Tests every endpoint with every kind of caller. One merchant, the owner, owns objects that the other
 * callers must not read.
 */
export function testMatrix(cast: () => Cast): void {
  beforeAll(async () => {
    matrix = await createMatrix(cast());
  });

  test('the access matrix lists every endpoint and nothing else', () => {
    expect(Object.keys(entries).toSorted()).toEqual(Object.keys(api).toSorted());
  });

  describe.each(all)('%s', (name, endpoint) => {
    const entry = entries[name] ?? refused;

    test('answers every kind of caller as promised', async () => {
      const promised: Record<string, Outcome> = {
        ...promisedToMerchants(endpoint, entry),
        ...promisedToSessions(endpoint, entry),
        ...promisedToOperators(endpoint, entry),
        ...promisedToAnybody(endpoint, entry),
      };
      const results = await Promise.all(
        Object.keys(promised).map(async (caller) => {
          const answer = await answerTo(endpoint, entry, { caller });
          return { caller, outcome: outcomeIn(answer), owned: ownedIn(answer.body) };
        }),
      );

      expect(Object.fromEntries(results.map(({ caller, outcome }) => [caller, outcome]))).toEqual(promised);
      // None of the tested callers owns the objects. Operators are left out, because they may read the
      // objects of every merchant.
      const leaks = results.filter(
        ({ owned }) => endpoint.access.kind !== 'operator' && !entry.echoes && owned.length > 0,
      );
      expect(leaks).toEqual([]);
    });

    test('returns the owner’s objects, and 404 for a malformed id', async () => {
      const { kind } = endpoint.access;
      const caller = {
        merchant: 'owner',
        operator: 'ADMIN',
        bearer: 'another merchant’s token',
        public: 'nobody',
      };
      if (kind === 'merchant' && endpoint.method === 'get' && entry !== refused) {
        const answer = await answerTo(endpoint, entry, { caller: 'owner' });
        expect(outcomeIn(answer)).toBe('200');
        const mayBeEmpty = entry.isEmpty ?? entry.echoes ?? false;
        if ((endpoint.paged && !mayBeEmpty) || entry.thing) expect(ownedIn(answer.body)).not.toEqual([]);
      }
      if (endpoint.path.includes(':id')) {
        const call = { caller: caller[kind], id: 'no-id' };
        expect(outcomeIn(await answerTo(endpoint, entry, call))).toBe('404 NOT_FOUND');
      }
    });
  });

  test('a path answers an unsupported method with 405', async () => {
    const paths = new Set([
      ...all.map(([, { path }]) => path),
      ...Object.values(callbacks).map(({ path }) => path),
    ]);
    const { baseUrl } = matrix.world.platform.facts;

    for (const path of paths) {
      const answer = await clientOf(baseUrl).call('PUT', path.replace(/:\w+/, randomUUID()));
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 405, 'METHOD_NOT_ALLOWED']);
    }
  });

  test.each(Object.entries(callbacks))('%s answers 404 to a wrong secret', async (_name, { path }) => {
    const { baseUrl } = matrix.world.platform.facts;
    const body = { pix: [], data: { id: 'x' } };

    const answer = await clientOf(baseUrl).call('POST', path.replace(':secret', 'guessed'), { body });

    expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('the owner still has every object afterwards', async () => {
    const paths = [
      'charges/charge',
      'disputes/dispute',
      'destinations/destination',
      'withdrawals/withdrawal',
    ];
    const found = await Promise.all(
      paths.map(async (path) => {
        const [list, thing = ''] = path.split('/');
        return (await matrix.owner.get(`/v1/${list}/${matrix.things[thing]}`)).data;
      }),
    );
    const webhooks = (await matrix.owner.get('/v1/webhook-config')).list;

    expect(found).toMatchObject([{ status: 'PAID' }, { status: 'OPEN' }, { label: null }, { amount: 1_000 }]);
    expect(webhooks).toContainEqual(expect.objectContaining({ id: matrix.things.webhook, isActive: true }));
  });
}
