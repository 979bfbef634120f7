import { afterEach, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '@plataforma/contracts';
import { visibleLine } from '@plataforma/kernel';
import { createCapturedLog, echo, send, serving, worldOfFile } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import { refuseCardNumbers } from '../src/card-number.ts';
import { serveTo } from '../src/index.ts';

/** Card numbers as cardholders write them. The tests also search for these numbers without blanks. */
const CARDS = ['4000000000000010', '4000 0000 0000 0010', '3782 822463 10005'];
const { log, lines } = createCapturedLog();
const reached: unknown[] = [];

const lineRoute = {
  ...echo,
  method: 'post',
  path: '/v1/line/:id',
  body: z.object({ note: z.string().transform(visibleLine) }),
} as const satisfies Endpoint;

/** Endpoints whose schema accepts any body. */
const routes = (['post', 'patch', 'delete'] as const).map(
  (method) =>
    ({ ...echo, method, path: `/v1/${method}/:id`, body: z.looseObject({}) }) as const satisfies Endpoint,
);

const noticeRoute = {
  ...echo,
  path: '/v1/notice/:id',
  body: z.object({ pix: z.array(z.object({ txid: z.string() })) }),
  fromProvider: true,
} as const satisfies Endpoint;

const server = worldOfFile(() =>
  serving(
    (app) => {
      for (const route of [...routes, noticeRoute, lineRoute]) {
        serveTo(app, route, {
          authenticate: () => undefined,
          answer: async ({ body }) => {
            reached.push(body);
            return { data: { amount: 100 } };
          },
        });
      }
    },
    { log },
  ),
);
afterEach(() => {
  reached.splice(0);
  lines.splice(0);
});

async function sendBody(method: string, body: string, contentType = 'application/json') {
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) };
  const { status, text } = await send(`${server.url}/v1/${method}/1`, {
    method: method === 'line' ? 'POST' : method.toUpperCase(),
    headers,
    body,
  });
  return { status, text, error: JSON.parse(text).error };
}

/** Expects that no handler, answer or log line received one of the card numbers. */
function expectNoTrace(text: string): void {
  expect(reached).toEqual([]);
  expect(lines.some((line) => line.includes('"request"'))).toBe(true);
  for (const digits of CARDS.map((card) => card.replaceAll(' ', ''))) {
    expect(`${text}${lines.join('')}`.replaceAll(' ', '')).not.toContain(digits);
  }
}

describe('a body with a card number', () => {
  test('passes without the card number, as a control', async () => {
    for (const { method } of routes) expect((await sendBody(method, '{"note":"4000"}')).status).toBe(201);

    expect(reached).toEqual([{ note: '4000' }, { note: '4000' }, { note: '4000' }]);
  });

  test.each(routes.flatMap(({ method }) => CARDS.map((card) => [method, card] as const)))(
    'is refused by %s before the handler: %s',
    async (method, card) => {
      const { status, text, error } = await sendBody(method, JSON.stringify({ note: `cartão ${card}` }));

      expect([status, error]).toEqual([
        400,
        {
          code: 'VALIDATION_ERROR',
          message: 'note: holds a card number; send the card to the tokenization endpoint and its token here',
        },
      ]);
      expectNoTrace(text);
    },
  );

  test.each([
    ['in an undeclared field', '{"card":{"number":"4000000000000010"}}'],
    ['in a list', '{"items":[["x"],["4000 0000 0000 0010"]]}'],
    ['as a number', '{"amount":4000000000000010}'],
    ['written with escapes', '{"note":"\\u0034000000000000010"}'],
    ['as the name of a field', '{"4000000000000010":1}'],
    ['in a duplicate field', '{"note":"x","note":"4000000000000010"}'],
    ['in a body that is a list', '["4000000000000010"]'],
  ])('is refused in any position: %s', async (_where, body) => {
    const { status, text, error } = await sendBody('post', body);

    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error.message).toContain('holds a card number');
    expectNoTrace(text);
  });

  test.each<[string, string, string, number]>([
    ['that is truncated', '{"note":"4000000000000010"', 'application/json', 400],
    ['of another content type', 'note=4000000000000010', 'application/x-www-form-urlencoded', 415],
  ])('%s leaves no trace of the number', async (_what, body, contentType, expected) => {
    const { status, text } = await sendBody('post', body, contentType);

    expect(status).toBe(expected);
    expectNoTrace(text);
  });

  test.each(['\t', '\n', '\r\n', '\b', '\u2028', '\u2800'])(
    'is refused when the schema changes separators to spaces: %j',
    async (between) => {
      const cardNumber = ['4000', '0000', '0000', '0010'].join(between);

      const { status, text } = await sendBody('line', JSON.stringify({ note: cardNumber }));

      expect(status).toBe(400);
      expectNoTrace(text);
    },
  );

  test.each([
    ['lists', `{"x":${'['.repeat(990)}"4000000000000010"${']'.repeat(990)}}`],
    ['objects', `${'{"x":'.repeat(990)}"4000000000000010"${'}'.repeat(990)}`],
  ])('is detected below the maximum depth of %s', async (_kind, body) => {
    const { status, text, error } = await sendBody('post', body);

    expect([status, error?.message]).toEqual([400, expect.stringContaining('x: holds a card number')]);
    expectNoTrace(text);
  });
});

describe('a provider’s callback', () => {
  test('passes with any numbers, without its undeclared fields', async () => {
    // The Pix key of the receiver is in every callback. Here it is a CNPJ whose check sum is also valid for a
    // card number.
    const body = JSON.stringify({ pix: [{ txid: '20261121120000001', chave: '36227206271667' }] });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };

    const { status } = await send(`${server.url}/v1/notice/1`, { method: 'POST', headers, body });

    expect(status).toBe(201);
    expect(reached).toEqual([{ pix: [{ txid: '20261121120000001' }] }]);
    expect(() => refuseCardNumbers(JSON.parse(body))).toThrow('holds a card number');
    expect(lines.join('')).not.toMatch(/20261121120000001|36227206271667/);
  });
});

test('a body of combining marks takes linear time', () => {
  const marks = '\u0300'.repeat(100_000) + '\u0316'.repeat(100_000);
  const before = process.cpuUsage();

  refuseCardNumbers({ x: `a${marks}`, [`b${marks}`]: 1 });

  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
});

test('a card number is found between very many combining marks', () => {
  const marks = '\u0300'.repeat(40);

  expect(() => refuseCardNumbers({ x: [...(CARDS[0] ?? '')].join(marks) })).toThrow('holds a card number');
});
