import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { sendRaw } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import type { FakeService } from './support/fake-service.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() =>
  startWorld({ settings: { BODY_TIMEOUT_MS: '500', KEEP_ALIVE_MS: '620000' } }),
);
let charges: FakeService;
let key: string;
let port: number;

beforeAll(async () => {
  charges = world.services.charges;
  ({ key } = await world.newKey(await world.newMerchant()));
  port = Number(new URL(world.gateway.url).port);
});
beforeEach(() => void charges.requests.splice(0));

const json = 'Content-Type: application/json';
const head = (...lines: string[]) =>
  `${['POST /v1/charges HTTP/1.1', 'Host: x', `X-API-Key: ${key}`, ...lines].join('\r\n')}\r\n\r\n`;

test('an idle connection stays open for the configured time', async () => {
  const { headers } = await fetch(`${world.gateway.url}/v1/charges`);

  expect(headers.get('keep-alive')).toBe('timeout=620');
});

describe('a request body', () => {
  test('of 100 KiB is forwarded whole with one length', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(100 * 1024 - 11) }));

    const { status } = await world.post('/v1/charges', body, { 'x-api-key': key });

    expect([status, body.length]).toEqual([200, 100 * 1024]);
    expect(charges.last().body.equals(body)).toBe(true);
    expect(charges.last().headers).toMatchObject({ 'content-length': `${100 * 1024}` });
  });

  test.each([
    ['by its own account', 'Content-Length: 102401', ''],
    ['in pieces', 'Transfer-Encoding: chunked', `19001\r\n${'x'.repeat(102_401)}\r\n`],
  ])('that is too large %s is refused before it ends', async (_how, length, sent) => {
    const answer = await sendRaw(port, head(json, length) + sent);

    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('"message":"body: must be at most 100 KiB"');
    expect(charges.requests).toEqual([]);
  });

  test('has at most 10 KiB at a public endpoint', async () => {
    const body = Buffer.from(JSON.stringify({ refreshToken: 'x'.repeat(11 * 1024) }));
    const paths = ['/v1/auth/refresh', '/v1/auth/login', `/v1/checkouts/${newId()}/card`];
    const answers = await Promise.all(paths.map((path) => world.post(path, body)));

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      paths.map(() => [413, 'PAYLOAD_TOO_LARGE']),
    );
  });

  test.each([
    ['is not JSON', 'Content-Type: text/plain'],
    ['has no content type', 'X-Other: 1'],
    ['is in UTF-7', `${json}; charset=utf-7`],
    ['is in two charsets', `${json};charset=utf-8; Charset="utf-16"`],
    ['is compressed', `${json}\r\nContent-Encoding: gzip`],
  ])('that %s is refused at once', async (_what, line) => {
    const answer = await sendRaw(port, head(line, 'Content-Length: 100'));

    expect(answer).toContain('HTTP/1.1 415');
    expect(answer).toContain('"code":"UNSUPPORTED_MEDIA_TYPE"');
  });

  test.each(['utf8', '"UTF8"', 'UTF-8'])(
    'in the charset %s reaches its service as plain JSON',
    async (charset) => {
      const line = `${json}; charset=${charset}`;

      const answer = await sendRaw(port, `${head(line, 'Content-Length: 2', 'Connection: close')}{}`);

      expect(answer).toContain('HTTP/1.1 200');
      expect(charges.last().headers['content-type']).toBe('application/json');
    },
  );

  test('that stalls ends in 408 and reaches no service', async () => {
    const before = charges.connections.length;

    const answers = await Promise.all(
      Array.from({ length: 30 }, () => sendRaw(port, `${head(json, 'Content-Length: 1000')}{"amount":`)),
    );

    for (const answer of answers) {
      expect(answer).toContain('HTTP/1.1 408');
      expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
      expect(answer).toMatch(/\r\nX-Request-Id: /);
      expect(answer).toContain('Connection: close');
    }
    expect([charges.requests.length, charges.connections.length]).toEqual([0, before]);
    const { status } = await world.call('/v1/charges', { headers: { 'x-api-key': key } });
    expect(status).toBe(200);
  });

  test('that stalls ends in 408 at the gateway’s own endpoints', async () => {
    const answer = await sendRaw(
      port,
      `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 1000\r\n\r\n{"email":`,
    );

    expect(answer).toContain('HTTP/1.1 408');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('is requested with 100 Continue when the caller expects it', async () => {
    const answer = await sendRaw(
      port,
      `${head(json, 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close')}{}`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
    expect(charges.last().headers.expect).toBeUndefined();
  });

  test('of a DELETE is forwarded like any other', async () => {
    const path = '/v1/charges/0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f';

    await world.call(path, { method: 'DELETE', headers: { 'x-api-key': key }, body: {} });

    expect([charges.last().method, charges.last().body.toString()]).toEqual(['DELETE', '{}']);
  });
});

describe('an answer', () => {
  test('that stays unread is cut off, with the service’s connection', async () => {
    const shortTimeout = await startGateway({
      ...world.env,
      MIGRATE_ON_START: 'false',
      STALLED_AFTER_MS: '3000',
    });
    let isCutOff = false;
    charges.intercept((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv' });
      const line = Buffer.alloc(64 * 1024, 'x');
      const fill = () => {
        while (res.write(line));
      };
      res.on('drain', fill).on('close', () => {
        isCutOff = true;
      });
      fill();
    });
    const socket = connect(Number(new URL(shortTimeout.url).port), '127.0.0.1', () => {
      socket.pause();
      socket.write(`GET /v1/charges HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    });
    socket.on('error', () => undefined);

    await eventually(() => expect(isCutOff).toBe(true));

    socket.destroy();
    charges.intercept(undefined);
    await shortTimeout.stop();
  });

  test.each([
    ['of 4 MiB arrives whole', 4 * 1024 * 1024, 200],
    ['of more than 4 MiB becomes a 400', 4 * 1024 * 1024 + 1, 400],
  ])('%s', async (_what, length, expected) => {
    const long = JSON.stringify({
      success: true,
      data: 'x'.repeat(length - '{"success":true,"data":""}'.length),
    });
    charges.intercept((_req, res) => void res.setHeader('Content-Type', 'application/json').end(long));

    const { status, text } = await world.call('/v1/charges', { headers: { 'x-api-key': key } });

    charges.intercept(undefined);
    expect(long).toHaveLength(length);
    expect(status).toBe(expected);
    expect(text === long).toBe(expected === 200);
  });

  test('in a long format is streamed piece by piece', async () => {
    world.services.ledger.intercept((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv' });
      res.write('first\n');
    });
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /v1/statement HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nAccept: text/csv\r\n\r\n`),
    );
    const chunks: string[] = [];
    socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));

    await eventually(() => expect(chunks.join('')).toContain('first\n'));

    expect(chunks.join('')).toContain('Transfer-Encoding: chunked');
    expect(chunks.join('')).toContain('text/csv');
    socket.destroy();
    world.services.ledger.intercept(undefined);
  });
});
