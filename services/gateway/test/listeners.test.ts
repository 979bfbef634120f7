import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { claimVhost, eventually } from '@plataforma/testing';
import { sendRaw } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { signerOf, startWorld } from './support/world.ts';

const world = worldOfFile(async () => startWorld({ brokerUrl: await claimVhost() }));

const document = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/**
 * Sends a GET request and returns the response as text, because these responses do not have the fields
 * `success` and `data`.
 */
function get(url: string): Promise<{ status: number | undefined; type: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode, type: answer.headers['content-type'], text });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('the OpenAPI document', () => {
  test('lists every endpoint for merchants and operators, and no other', async () => {
    const { status, type, text } = await get(`${world.gateway.url}/openapi.json`);

    const { openapi, paths } = document.parse(JSON.parse(text));
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect([status, type]).toEqual([200, expect.stringMatching('application/json')]);
    expect(openapi).toMatch(/^3\.1\./);
    expect(listed.toSorted()).toEqual(
      endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
    );
    expect(text).not.toMatch(/\/(?:callbacks|internal)\b/);
  });
});

describe('a path', () => {
  test.each([
    '/',
    '/v1',
    '/v1/charge',
    '/v2/charges',
    '/v1/charges/1/2/3',
    '/internal/merchants/1',
    '/metrics',
  ])('that does not exist (%s) is 404', async (path) => {
    expect(await world.call(path)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test.each([
    '/v1/charges/..%2fadmin',
    '/v1/charges/a%2Fb',
    '/v1/charges/a%5cb',
    '/v1/charges/../balance',
    '/v1/charges/%2e%2e/balance',
    '/v1/./charges',
    '//v1/charges',
    '/v1//charges',
    '/v1/charges/a%00',
    '/v1\\charges',
    'http://elsewhere.example/v1/charges',
  ])('that is ambiguous (%s) is refused and not forwarded', async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1`);

    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":"VALIDATION_ERROR"');
    expect(world.services.charges.requests).toEqual([]);
  });
});

describe('a request', () => {
  test.each([
    ['GET', 'Content-Length: 2', '{}'],
    ['GET', 'Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ['HEAD', 'Content-Length: 2', '{}'],
  ])('of %s with a body (%s) is refused', async (method, header, body) => {
    const answer = await raw(`${method} /v1/charges HTTP/1.1\r\n${header}`, body);

    expect(answer).toContain('HTTP/1.1 400');
    expect(world.services.charges.requests).toEqual([]);
  });

  test('with more than a hundred headers is refused and disconnected', async () => {
    const many = Array.from({ length: 99 }, (_, index) => `X-${index}: 1`).join('\r\n');

    const answer = await raw(`GET /v1/charges HTTP/1.1\r\n${many}`);

    expect(answer).toContain('HTTP/1.1 431');
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('"success":false');
  });
});

/** Sends a request line and headers unchanged. The connection closes after the response. */
function raw(head: string, body = ''): Promise<string> {
  const [line, ...headers] = head.split('\r\n');
  const bytes = [line, 'Host: gateway', 'Connection: close', ...headers].join('\r\n');
  return sendRaw(Number(new URL(world.gateway.url).port), `${bytes}\r\n\r\n${body}`);
}

describe('the internal listener', () => {
  const ask = (id: string, headers: Record<string, string>) =>
    fetch(`${world.gateway.internalUrl}/internal/merchants/${id}`, { headers }).then(async (answer) => ({
      status: answer.status,
      json: await answer.json(),
    }));
  const asService = (audience = 'gateway') => ({
    'x-internal-identity': signerOf('charges').sign({ kind: 'service' }, audience),
  });

  test('sends a service the settings of a merchant', async () => {
    const { id } = await world.newMerchant();

    const { status, json } = await ask(id, asService());

    expect([status, json]).toEqual([
      200,
      {
        success: true,
        data: {
          id,
          version: 1,
          name: 'Loja do Zé',
          cnpj: expect.stringMatching(/^\d{14}$/),
          phone: '11987654321',
          status: 'PENDING',
          checkoutColor: '#1f6feb',
          pixFeeBps: 99,
          pixFeeFixed: 0,
          cardFeeBps: 399,
          cardFeeFixed: 0,
          cardEnabled: false,
          maxInstallments: 12,
          settlementDays: 30,
          settlementCalendar: 'calendar',
          withdrawalFee: 0,
          withdrawalFeeMode: 'AMOUNT',
          autoApproveLimit: 0,
          newPayeesPerDay: 10,
          dailyWithdrawalLimit: 5_000_000,
          destinationCooldownHours: 24,
          sandboxLimits: { dailyWithdrawalLimit: null, destinationCooldownHours: 0 },
          sandboxAheadMs: 0,
        },
      },
    ]);
  });

  test.each([newId(), 'x'])('answers 404 for the merchant %s', async (id) => {
    expect(await ask(id, asService())).toMatchObject({ status: 404, json: { error: { code: 'NOT_FOUND' } } });
  });

  test.each<[string, () => Record<string, string>]>([
    ['a caller without an identity', () => ({})],
    ['a service that asks for another one', () => asService('ledger')],
    [
      'the gateway’s own name',
      () => ({ 'x-internal-identity': signerOf('gateway').sign({ kind: 'service' }, 'gateway') }),
    ],
    [
      'an anonymous caller',
      () => ({ 'x-internal-identity': signerOf('charges').sign({ kind: 'anonymous' }, 'gateway') }),
    ],
  ])('refuses %s', async (_who, headers) => {
    const { id } = await world.newMerchant();

    expect(await ask(id, headers())).toMatchObject({
      status: 401,
      json: { error: { code: 'UNAUTHORIZED' } },
    });
  });

  test('and the public listener share no routes', async () => {
    const { id } = await world.newMerchant();

    const outside = await world.call(`/internal/merchants/${id}`, { headers: asService() });
    const inside = await fetch(`${world.gateway.internalUrl}/v1/auth/login`, { method: 'POST' });

    expect([outside.status, inside.status]).toEqual([404, 404]);
  });
});

describe('the gateway', () => {
  test('is ready on both ports with its database and broker', async () => {
    for (const url of [world.gateway.url, world.gateway.internalUrl]) {
      await eventually(async () => {
        const answer = await fetch(`${url}/readyz`);
        expect([answer.status, await answer.json()]).toEqual([
          200,
          { success: true, data: { database: 'ok', broker: 'ok', accepting: 'ok' } },
        ]);
      });
    }
  });

  test('publishes its events', async () => {
    await world.newMerchant();

    await eventually(async () => {
      expect(await world.database.query('SELECT 1 FROM outbox WHERE published_at IS NULL')).toEqual([]);
    });
  });
});
