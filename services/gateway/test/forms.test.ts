import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { evidenceForm } from '@plataforma/testing';
import { sendRaw } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import type { FakeService } from './support/fake-service.ts';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ settings: { BODY_TIMEOUT_MS: '400' } }));
let charges: FakeService;
let key: string;
let port: number;

beforeAll(async () => {
  charges = world.services.charges;
  ({ key } = await world.newKey(await world.newMerchant()));
  port = Number(new URL(world.gateway.url).port);
});
beforeEach(() => void charges.requests.splice(0));

const LIMIT = 2 * 1024 * 1024 + 16 * 1024;
const TYPE = 'Content-Type: multipart/form-data; boundary=limite';
const head = (path: string, ...lines: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, ...lines].join('\r\n')}\r\n\r\n`;

/** Opens a connection and sends the headers of a form, but only a part of its body. */
function half(at = port, by = key): { answer: Promise<string>; finish(): void; leave(): void } {
  const answer = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(at, '127.0.0.1');
  const headers = head('/v1/files', TYPE, 'Content-Length: 4', 'Connection: close');
  socket.write(`${headers.replace(key, by)}--`);
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('close', () => answer.resolve(Buffer.concat(chunks).toString()));
  socket.on('error', () => undefined);
  return { answer: answer.promise, finish: () => socket.write('--'), leave: () => socket.destroy() };
}

describe('a form with a file', () => {
  test('is forwarded unchanged with its type, key and one length', async () => {
    const body = evidenceForm('0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b', {
      bytes: Buffer.alloc(2 * 1024 * 1024),
    });
    const request = new Request('http://x', { method: 'POST', body });
    const type = request.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await request.arrayBuffer());

    const { status } = await world.post('/v1/files', bytes, {
      'x-api-key': key,
      'idempotency-key': 'one',
      'content-type': type,
    });

    expect(status).toBe(200);
    expect(charges.last().body.equals(bytes)).toBe(true);
    expect(charges.last().headers).toMatchObject({
      'content-type': type,
      'content-length': `${bytes.length}`,
      'idempotency-key': 'one',
    });
  });

  test.each([
    ['another path', '/v1/charges', TYPE],
    ['a path with a file’s id', '/v1/disputes/0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b/evidence', TYPE],
    ['its path, as JSON', '/v1/files', 'Content-Type: application/json'],
    ['its path, without a boundary', '/v1/files', 'Content-Type: multipart/form-data'],
    ['its path, with two boundaries', '/v1/files', `${TYPE}; boundary=other`],
  ])('is refused unread at %s', async (_where, path, type) => {
    const answer = await sendRaw(port, head(path, type, 'Content-Length: 1000', 'Connection: close'));

    expect(answer).toContain('HTTP/1.1 415');
    expect(charges.requests).toEqual([]);
  });

  test.each([
    ['by its own account', `Content-Length: ${LIMIT + 1}`, ''],
    [
      'in pieces',
      'Transfer-Encoding: chunked',
      `${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}\r\n`,
    ],
  ])('that is too large %s is refused before it ends', async (_how, length, sent) => {
    const answer = await sendRaw(port, head('/v1/files', TYPE, length) + sent);

    expect(answer).toContain('HTTP/1.1 413');
    expect(charges.requests).toEqual([]);
  });

  test('is refused unread without credentials', async () => {
    const answer = await sendRaw(
      port,
      `POST /v1/files HTTP/1.1\r\nHost: x\r\n${TYPE}\r\nContent-Length: ${LIMIT}\r\nConnection: close\r\n\r\n`,
    );

    expect(answer).toContain('HTTP/1.1 401');
  });

  test('has more time than other bodies, but a limited one', async () => {
    const slow = half();
    const startedAt = Date.now();
    const json = head('/v1/charges', 'Content-Type: application/json', 'Content-Length: 1000');

    expect(await sendRaw(port, `${json}{`)).toContain('HTTP/1.1 408');
    expect(await slow.answer).toContain('HTTP/1.1 408');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    expect(charges.requests).toEqual([]);
  });

  test('releases its slot after a 408', async () => {
    for (let round = 0; round < 3; round += 1) {
      const slow = await Promise.all([half(), half(), half(), half()].map(({ answer }) => answer));
      expect(slow.every((answer) => /^HTTP\/1.1 (?:408|503)/.test(answer))).toBe(true);
    }
    const whole = half();
    whole.finish();

    expect(await whole.answer).toContain('HTTP/1.1 200');
  });

  test('waits for a slot of its own account only', async () => {
    const slow = await startGateway({ ...world.env, MIGRATE_ON_START: 'false', BODY_TIMEOUT_MS: '10000' });
    const at = Number(new URL(slow.url).port);
    const open = [half(at), half(at)];
    const ends: string[] = [];
    const ended = (name: string, { answer }: { answer: Promise<string> }) =>
      answer.then((text) => void ends.push(`${name} ${text.slice(9, 12)}`));
    const third = half(at);
    third.finish();
    const waited = ended('third', third);
    const other = await world.newKey(await world.newMerchant());
    const theirs = half(at, other.key);
    theirs.finish();
    await ended('of another account', theirs);
    const list = await send(`${slow.url}/v1/charges`, { headers: { 'x-api-key': key } });

    open[0]?.finish();
    await waited;

    expect([list.status, ends]).toEqual([200, ['of another account 200', 'third 200']]);
    for (const each of open) each.leave();
    await slow.stop();
  });
});
