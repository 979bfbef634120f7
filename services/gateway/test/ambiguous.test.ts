import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sendRaw } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let key: string;

beforeAll(async () => {
  ({ key } = await world.newKey(await world.newMerchant()));
});
beforeEach(() => void world.services.charges.requests.splice(0));

function raw(line: string, headers: string[] = [], body = ''): Promise<string> {
  const all = [line, 'Host: gateway', 'Connection: close', ...headers];
  return sendRaw(Number(new URL(world.gateway.url).port), `${all.join('\r\n')}\r\n\r\n${body}`);
}

const statusOf = (answer: string) => answer.match(/HTTP\/1\.1 \d+/g);
const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];

describe('a request with an oversized head', () => {
  const hidden = 'GET /v1/charges/hidden HTTP/1.1\r\nHost: x\r\n\r\n';

  // The headers fit into 16 KiB, but their number exceeds 2000, after which Node drops headers by default.
  test.each(['Content-Length: 44', 'Transfer-Encoding: chunked'])(
    'smuggles no second request past its %s',
    async (framing) => {
      const many = Array.from({ length: 3_000 }, () => 'a:1');
      const body = framing.startsWith('T') ? `0\r\n\r\n${hidden}` : hidden;

      const answer = await raw(
        'POST /v1/charges HTTP/1.1',
        [`X-API-Key: ${key}`, ...many, 'Content-Type: application/json', framing],
        body,
      );

      expect(hidden.length).toBe(44);
      expect(statusOf(answer)).toEqual(['HTTP/1.1 431']);
      expect(codeOf(answer)).toBe('HEADERS_TOO_LARGE');
      expect(world.services.charges.requests).toEqual([]);
    },
  );

  test('is refused with 431 and the limit', async () => {
    const answer = await raw('GET /v1/charges HTTP/1.1', [`X-Long: ${'x'.repeat(20_000)}`]);

    expect([statusOf(answer), codeOf(answer)]).toEqual([['HTTP/1.1 431'], 'HEADERS_TOO_LARGE']);
    expect(answer).toContain('headers: must be at most 16 KiB, with the request line');
  });
});

describe('an ambiguous request', () => {
  test.each([
    ['two hosts', 'Host: elsewhere', '400'],
    ['two keys', 'X-API-Key: one\r\nX-API-Key: two', '400'],
    ['two tokens', 'Authorization: Bearer a\r\nAuthorization: Bearer b', '400'],
    ['a key and a token', 'X-API-Key: one\r\nAuthorization: Bearer a', '400'],
    ['two environments', 'X-Environment: sandbox\r\nX-Environment: production', '400'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '400'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '400'],
    ['another coding before chunks', 'Transfer-Encoding: gzip, chunked', '400'],
    ['two chunked codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '400'],
    ['an invalid length', 'Content-Length: +2', '400'],
    ['a folded header', 'X-One: a\r\n b', '400'],
    ['a space before the colon', 'X-One : a', '400'],
  ])('is refused with %s', async (_what, headers, status) => {
    const answer = await raw('POST /v1/charges HTTP/1.1', headers.split(/\r\n(?! )/), '{}');

    expect(statusOf(answer)).toEqual([`HTTP/1.1 ${status}`]);
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    expect(answer).toMatch(/\r\nX-Request-Id: /);
    expect(world.services.charges.requests).toEqual([]);
  });

  test.each([
    ['OPTIONS * HTTP/1.1', '400', 'VALIDATION_ERROR'],
    ['GET /v1/charges#part HTTP/1.1', '400', 'VALIDATION_ERROR'],
    ['GET /v1/charges?a=\x80 HTTP/1.1', '400', 'VALIDATION_ERROR'],
    ['GET /v1/charges%2f HTTP/1.1', '400', 'VALIDATION_ERROR'],
    ['GET /V1/CHARGES HTTP/1.1', '404', 'NOT_FOUND'],
    ['TRACE /v1/charges HTTP/1.1', '405', 'METHOD_NOT_ALLOWED'],
    ['PROPFIND /v1/charges HTTP/1.1', '405', 'METHOD_NOT_ALLOWED'],
    ['CONNECT elsewhere.example:443 HTTP/1.1', '405', 'METHOD_NOT_ALLOWED'],
    ['MAKE /v1/charges HTTP/1.1', '501', 'NOT_IMPLEMENTED'],
    ['GET /v1/charges HTTP/3.7', '400', 'VALIDATION_ERROR'],
  ])('is refused when it begins with %s', async (line, status, code) => {
    const answer = await raw(line, [`X-API-Key: ${key}`]);

    expect([statusOf(answer), codeOf(answer)]).toEqual([[`HTTP/1.1 ${status}`], code]);
    if (status === '405') expect(answer).toMatch(/\r\nAllow:/);
    expect(world.services.charges.requests).toEqual([]);
  });

  test('is refused when its path and query exceed 8 KiB', async () => {
    const answer = await raw(`GET /v1/charges?q=${'x'.repeat(8_200)} HTTP/1.1`);

    expect([statusOf(answer), codeOf(answer)]).toEqual([['HTTP/1.1 414'], 'URI_TOO_LONG']);
  });

  test('is refused with chunks in HTTP/1.0', async () => {
    const answer = await raw('POST /v1/charges HTTP/1.0', ['Transfer-Encoding: chunked'], '0\r\n\r\n');

    expect(answer).toContain(' 400 ');
    expect(world.services.charges.requests).toEqual([]);
  });
});

describe('an unusual but valid request', () => {
  test('is served in HTTP/1.0', async () => {
    const answer = await raw('GET /v1/charges HTTP/1.0', [`X-API-Key: ${key}`]);

    expect(answer).toContain(' 200 OK');
    expect(answer).not.toContain('chunked');
    expect(world.services.charges.requests).toHaveLength(1);
  });

  test('is served in HTTP/1.1 when it asks for an upgrade', async () => {
    const upgrade = ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const head = `GET /v1/charges HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close, upgrade\r\n`;
    const port = Number(new URL(world.gateway.url).port);

    const answer = await sendRaw(port, `${head}${upgrade.join('\r\n')}\r\n\r\n`);

    expect(statusOf(answer)).toEqual(['HTTP/1.1 200']);
    expect(world.services.charges.last().headers.upgrade).toBeUndefined();
  });

  test('gets its own answer when it follows another on a connection', async () => {
    const one = `GET /v1/charges HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n`;
    const port = Number(new URL(world.gateway.url).port);

    const answer = await sendRaw(port, `${one}\r\n${one}Connection: close\r\n\r\n`);

    expect(statusOf(answer)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(world.services.charges.requests).toHaveLength(2);
  });

  test('is forwarded as HEAD and answered without a body', async () => {
    const answer = await raw('HEAD /v1/charges HTTP/1.1', [`X-API-Key: ${key}`]);

    expect(statusOf(answer)).toEqual(['HTTP/1.1 200']);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
    expect(world.services.charges.last().method).toBe('HEAD');
  });
});
