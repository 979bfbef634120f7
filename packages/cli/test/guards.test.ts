import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Loopback, startLoopback } from '@plataforma/testing';
import { type CommandLine, commandLineOf } from './support/command-line.ts';

const KEY = 'sk_sandbox_abcdefghijklmnopqrstuv';
const LIVE_KEY = 'sk_live_abcdefghijklmnopqrstuvwx';
const payout = ['withdrawals', 'create', '--amount', '2500', '--pix-key', 'maria@loja.example'];

let home: string;
let api: Loopback;
let cli: CommandLine;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: { url?: string; key: unknown; body: string }[];

beforeAll(async () => {
  api = await startLoopback(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests.push({ ...(request.url && { url: request.url }), key: request.headers['x-api-key'], body });
    answer(request, response);
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plataforma-cli-'));
  cli = commandLineOf(home, { PLATAFORMA_URL: api.url, PLATAFORMA_API_KEY: KEY });
  requests = [];
  answer = (_request, response) => respond(response, 200, { data: {} });
});
afterEach(() => rm(home, { recursive: true, force: true }));

function respond(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const refusal = (code: string) => ({ error: { code, message: code } });

describe('a change with an unknown outcome', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is reported with its key when %s ends it', async (signal, expected) => {
    answer = () => undefined;
    const running = cli.start(payout);
    await eventually(() => expect(requests).toHaveLength(1));
    running.child.kill(signal);
    const { code, out, err } = await running.ended;

    expect([code, out]).toEqual([expected, '']);
    expect(err).toMatch(/Não se sabe se algo foi feito\.\n.*--idempotency-key [\da-f-]{36}\n/);
  });

  test.each([
    ['a rate limit after a lost answer', 429, 'RATE_LIMITED', { 'retry-after': '120' }],
    ['an internal error', 500, 'INTERNAL_ERROR', {}],
  ])('is not reported as refused after %s', async (_what, status, code, headers) => {
    answer = (request, response) =>
      requests.length === 1 && status === 429
        ? request.socket.destroy()
        : respond(response, status, refusal(code), headers);
    const ended = await cli.run([...payout, '--idempotency-key', 'my-key']);

    expect([ended.code, ended.out]).toEqual([3, '']);
    expect(ended.err).toMatch(
      new RegExp(`Não se sabe se algo foi feito\\.\n${code}: .*\n.*--idempotency-key my-key\n`),
    );
    expect(ended.err).not.toContain('Recusado');
  });

  test('is not reported when the first answer refuses it', async () => {
    answer = (_request, response) => respond(response, 422, refusal('INSUFFICIENT_BALANCE'));

    expect(await cli.run(payout)).toMatchObject({ code: 1, err: expect.stringContaining('Recusado') });
  });

  test('is not reported for a read', async () => {
    answer = () => undefined;
    const running = cli.start(['balance']);
    await eventually(() => expect(requests).toHaveLength(1));
    running.child.kill('SIGINT');

    expect(await running.ended).toMatchObject({ code: 130, err: '' });
  });
});

test.each([
  ['SIGINT', 130, 'a step without an answer', null],
  ['SIGTERM', 143, 'a retried step', 'INVALID_STATE'],
] as const)('`trigger` stops at the first %s with %i in %s', async (signal, expected, _what, refused) => {
  answer = (_request, response) => {
    if (requests.length === 1) respond(response, 201, { data: { id: 'c1', netAmount: 1 } });
    else if (requests.length === 2) respond(response, 200, { data: {} });
    else if (refused) respond(response, 409, refusal(refused));
  };
  const running = cli.start(['trigger', 'dispute.opened']);
  await eventually(() => expect(requests.length).toBeGreaterThanOrEqual(3));
  const stoppedAt = performance.now();
  running.child.kill(signal);
  const { code, out, err } = await running.ended;

  expect([code, out]).toEqual([expected, '']);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  expect(err).toMatch(/POST {3}\/v1\/charges .*Parou em POST \/v1\/sandbox\/charges\/c1\/dispute.*\n$/s);
});

describe('an API key', () => {
  test('is not stored beside another installation’s key', async () => {
    const other = 'http://other.localhost:1';
    const file = join(home, 'default.json');
    const profile = JSON.stringify({ baseUrl: other, liveKey: LIVE_KEY });
    await writeFile(file, profile);
    const own = commandLineOf(home);

    const ended = await own.run(['login', '--url', api.url, '--key'], `${KEY}\n`);

    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(other) });
    expect(await readFile(file, 'utf8')).toBe(profile);
    expect(requests).toEqual([]);
  });

  test.each([
    ['an address of the environment', 'PLATAFORMA_URL', 'http://other.localhost:1'],
    ['a key of the environment', 'PLATAFORMA_API_KEY', ''],
  ])('must come with its own address: %s is refused', async (_what, name, stored) => {
    const sandboxKey = 'sk_sandbox_storedstoredstored';
    await writeFile(join(home, 'default.json'), JSON.stringify({ baseUrl: stored || api.url, sandboxKey }));
    const half = commandLineOf(home, { [name]: name === 'PLATAFORMA_URL' ? api.url : KEY });

    const ended = await half.run(['balance']);

    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('PLATAFORMA_API_KEY') });
    expect(requests).toEqual([]);
  });

  test('is never sent to a public host without https', async () => {
    for (const url of ['http://api.example', 'http://10.example.com', 'http://127.evil.example']) {
      const far = commandLineOf(home, { PLATAFORMA_URL: url, PLATAFORMA_API_KEY: KEY });
      expect(await far.run(['balance'])).toMatchObject({ code: 2, err: expect.stringContaining('https://') });
    }
  });
});

describe('text from others', () => {
  const evil = 'a\u001b[2Jb\u001b]0;x\u0007c\u009b31md\u202ee\nPAID  f';

  test('has no control characters in any output', async () => {
    const row = { id: 'id', externalId: evil };
    const meta = { page: 1, pages: 1, total: 1 };
    answer = ({ url }, response) => {
      if (url?.startsWith('/v1/withdrawals'))
        return respond(response, 422, { error: { code: evil, message: evil } });
      respond(response, 200, url?.startsWith('/v1/charges?') ? { data: [row], meta } : { data: row });
    };
    const list = await cli.run(['charges', 'list', '--page', '1']);
    const sheet = await cli.run(['charges', 'get', 'x']);
    const json = await cli.run(['charges', 'get', 'x', '--json']);
    const refused = await cli.run(payout);

    for (const text of [list.out, sheet.out, json.out, refused.err])
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect([list.out, sheet.out].map((text) => text.split('\n').length)).toEqual([3, 3]);
    expect(JSON.parse(json.out)).toEqual(row);
  });
});

describe('an export', () => {
  const csv = 'id;name\n1;\u001b[2Jx\n';
  beforeEach(() => {
    answer = ({ headers }, response) => {
      if (headers.accept !== 'text/csv') return respond(response, 200, { data: [], meta: { total: 1 } });
      response.writeHead(200, { 'content-type': 'text/csv' }).end(csv);
    };
  });

  test('is saved unchanged and readable only by its owner', async () => {
    const file = join(home, 'charges.csv');
    await writeFile(file, 'old', { mode: 0o644 });

    expect(await cli.run(['export', 'charges', '-o', file])).toMatchObject({ code: 0 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(csv);
    expect((await cli.run(['export', 'charges'])).out).toBe(csv);
  });
});

test('`get` sends the typed query', async () => {
  const path = '/v1/events?createdAfter=2026-11-26T10:15:30Z&q=a b';

  expect((await cli.run(['get', path])).code).toBe(0);

  const { searchParams } = new URL(requests[0]?.url ?? '', api.url);
  expect([...searchParams]).toEqual([
    ['createdAfter', '2026-11-26T10:15:30Z'],
    ['q', 'a b'],
  ]);
});

test('a production change first shows the amount and the payee', async () => {
  const live = commandLineOf(home, { PLATAFORMA_URL: api.url, PLATAFORMA_API_KEY: LIVE_KEY });

  const { code, err } = await live.run([...payout, '--live'], 'não\n');

  expect(code).toBe(2);
  expect(err).toMatch(/POST \/v1\/withdrawals\namount +R\$ 25,00\npixKey +maria@loja\.example\n/);
  expect(requests).toEqual([]);
});

test('a secret is read from a prompt, not an argument', async () => {
  const create = ['webhooks', 'create', '--url', 'https://shop.example/hooks', '--events', 'charge.paid'];
  const secret = 'a secret of some length';
  const typed = [
    [...create, '--secret', secret],
    [...create, `--secret=${secret}`],
    ['webhooks', 'rotate-secret', 'x', '--secret', secret],
    ['webhooks', 'rotate-secret', 'x', '--data', JSON.stringify({ secret })],
  ];
  for (const line of typed) expect((await cli.run(line)).code).toBe(2);
  expect(requests).toEqual([]);

  expect((await cli.run([...create, '--secret'], `${secret}\n`)).code).toBe(0);

  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ secret, events: ['charge.paid'] });
});

test.each(['.', '..'])('the id %s is refused', async (id) => {
  expect((await cli.run(['charges', 'get', id])).code).toBe(2);
  expect(requests).toEqual([]);
});
