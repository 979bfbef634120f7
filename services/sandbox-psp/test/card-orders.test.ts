import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { eventually, freePort } from '@plataforma/testing';
import { z } from 'zod';
import { CARDS, control, newTxid, OTHER_CARDS, sharedBankWorld, startBank, times } from './bank.ts';
import {
  askForToken,
  callCards,
  card,
  cardCharge,
  cardOrder,
  charged,
  orderBody,
  ordersOf,
  readCardCharge,
  tokenize,
} from './cards.ts';

const bank = sharedBankWorld();

const listedCharges = z.strictObject({
  data: z.array(cardCharge),
  paging: z.strictObject({ total: z.int() }),
});

describe('POST /core/v5/orders', () => {
  test('charges an approved card', async () => {
    const { order, charge, code } = await charged(bank);

    expect(order).toMatchObject({ code, amount: 5000, status: 'paid' });
    expect(charge).toMatchObject({
      code,
      amount: 5000,
      paid_amount: 5000,
      canceled_amount: 0,
      status: 'paid',
    });
    expect(charge.paid_at).toBeDefined();
    expect(charge.last_transaction).toMatchObject({
      status: 'captured',
      success: true,
      installments: 3,
      acquirer_return_code: '00',
      card: { brand: 'Visa', first_six_digits: '400000', last_four_digits: '0010' },
    });
  });

  test.each([
    ['4000000000000028', '51'],
    ['4000000000000036', '54'],
    ['4000000000000044', '59'],
  ])('the card %s is declined with %s', async (number, code) => {
    const { order, charge } = await charged(bank, number);

    expect(order.status).toBe('failed');
    expect(charge).toMatchObject({ status: 'failed', paid_amount: 0 });
    expect(charge.paid_at).toBeUndefined();
    const declined = {
      status: 'not_authorized',
      success: false,
      acquirer_return_code: code,
      acquirer_auth_code: '',
    };
    expect(charge.last_transaction).toMatchObject(declined);
  });

  test('returns the first order for a repeated key', async () => {
    const body = orderBody(await tokenize(bank));
    const key = newTxid();
    const first = await callCards(bank, 'POST /orders', { key, body });
    const other = orderBody(await tokenize(bank));

    const again = await callCards(bank, 'POST /orders', { key, body });
    const different = await callCards(bank, 'POST /orders', { key, body: other });

    expect([again.body, different.body]).toEqual([first.body, first.body]);
    expect(await ordersOf(bank, other.code)).toEqual([]);
  });

  test('ten equal requests at once create one order', async () => {
    for (const _round of times(10)) {
      const body = orderBody(await tokenize(bank));
      const call = () => callCards(bank, 'POST /orders', { key: body.code, body });
      const answers = await Promise.all(times(10).map(call));

      expect(new Set(answers.map(({ body: order }) => cardOrder.parse(order).id)).size).toBe(1);
      expect(await ordersOf(bank, body.code)).toHaveLength(1);
    }
  });

  test('uses one of two tokens with one key at once', async () => {
    for (const _round of times(10)) {
      const code = newTxid();
      const bodies = [orderBody(await tokenize(bank), code), orderBody(await tokenize(bank), code)];
      const answers = await Promise.all(
        bodies.map((body) => callCards(bank, 'POST /orders', { key: code, body })),
      );
      expect(new Set(answers.map(({ body }) => cardOrder.parse(body).id)).size).toBe(1);

      const retries = await Promise.all(
        bodies.map((body) => callCards(bank, 'POST /orders', { key: newTxid(), body })),
      );
      expect(retries.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  test('uses a token once among ten requests with different keys', async () => {
    const token = await tokenize(bank);
    const answers = await Promise.all(
      times(10).map(() => callCards(bank, 'POST /orders', { key: newTxid(), body: orderBody(token) })),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(({ body }) => body)).toEqual(Array(9).fill({ message: 'token not found' }));
  });

  test('does not find an expired, foreign or unknown token', async () => {
    const [over, others] = [await tokenize(bank), await tokenize(bank)];
    const past = `created_at - interval '1 hour', ends_at = created_at - interval '1 second'`;
    await bank.database.queryUnprepared(`UPDATE card_tokens SET created_at = ${past} WHERE token_id = $1`, [
      over,
    ]);

    const answers = await Promise.all([
      callCards(bank, 'POST /orders', { body: orderBody(over) }),
      callCards(bank, 'POST /orders', { body: orderBody(others), secretKey: OTHER_CARDS.secretKey }),
      callCards(bank, 'POST /orders', { body: orderBody('token_unknown') }),
    ]);

    for (const { status, body } of answers)
      expect([status, body]).toEqual([422, { message: 'token not found' }]);
  });

  test.each([
    ['a wrong secret key', 'sk_test_of_nobody_here'],
    ['no secret key', ''],
  ])('%s gets a 401', async (_case, secretKey) => {
    const answer = await callCards(bank, 'POST /orders', { secretKey, body: orderBody('token') });

    expect(answer).toMatchObject({ status: 401, body: { message: expect.any(String) } });
  });

  test.each([
    ['no items', { items: [] }, 'items'],
    ['no code', { code: undefined }, 'code'],
    ['another payment method', { payments: [{ payment_method: 'pix' }] }, 'payments.0.payment_method'],
    ['an amount of zero', { items: [{ amount: 0, description: 'x', quantity: 1 }] }, 'items.0.amount'],
  ])('%s is refused with the field’s name', async (_case, changes, field) => {
    const answer = await callCards(bank, 'POST /orders', { body: { ...orderBody('token'), ...changes } });

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      errors: { [field]: expect.any(Array) },
    });
  });
});

describe('a read of the card API', () => {
  test('finds orders by code and id, and charges by id', async () => {
    const { order, charge, code } = await charged(bank);

    expect(await ordersOf(bank, code)).toEqual([order]);
    expect((await callCards(bank, `GET /orders/${order.id}`)).body).toEqual(order);
    expect(await readCardCharge(bank, charge.id)).toEqual(charge);
  });

  test('lists the charges of a period page by page', async () => {
    const own = await startBank();
    const ids: string[] = [];
    for (const _round of times(3)) ids.push((await charged(own)).charge.id);
    const first = await readCardCharge(own, ids[0] ?? '');
    const list = async (query: string) => {
      const { data, paging } = listedCharges.parse((await callCards(own, `GET /charges?${query}`)).body);
      return [data.map(({ id }) => id), paging.total];
    };

    expect(await list('page=1&size=2')).toEqual([ids.slice(0, 2), 3]);
    expect(await list('page=2&size=2')).toEqual([ids.slice(2), 3]);
    expect(await list(`created_since=${first.created_at}`)).toEqual([ids, 3]);
    const before = new Date(Date.parse(first.created_at) - 1).toISOString();
    expect(await list(`created_until=${before}`)).toEqual([[], 0]);
    await own.close();
  });

  test('finds nothing of another receiver', async () => {
    const { order, charge, code } = await charged(bank);
    const { secretKey } = OTHER_CARDS;

    const answers = await Promise.all([
      callCards(bank, `GET /orders/${order.id}`, { secretKey }),
      callCards(bank, `GET /charges/${charge.id}`, { secretKey }),
      callCards(bank, `DELETE /charges/${charge.id}`, { secretKey }),
      callCards(bank, 'GET /nothing'),
    ]);
    const list = await callCards(bank, `GET /orders?code=${code}`, { secretKey });

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(list.body).toEqual({ data: [], paging: { total: 0 } });
  });
});

test('an ordered fault answers 500 before or after the charge', async () => {
  const body = orderBody(await tokenize(bank));
  await control(bank, 'faults', { operation: 'card.charge', fault: 'error500', times: 1 });
  const failed = await callCards(bank, 'POST /orders', { key: body.code, body });
  const before = await ordersOf(bank, body.code);
  await control(bank, 'faults', { operation: 'card.charge', fault: 'done_then_500', times: 1 });
  const done = await callCards(bank, 'POST /orders', { key: body.code, body });

  expect([failed, done].map((it) => [it.status, it.body])).toEqual(
    Array(2).fill([500, { message: expect.any(String) }]),
  );
  expect(before).toEqual([]);
  expect(await ordersOf(bank, body.code)).toMatchObject([{ status: 'paid' }]);
});

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;

test('card numbers, security codes and names are never stored or logged', async () => {
  const bank = await startBank();
  const [PORT, CONTROL_PORT] = [String(await freePort(null)), String(await freePort(null))];
  const url = `http://127.0.0.1:${PORT}`;
  const env = { ...bank.env, PORT, CONTROL_PORT, PUBLIC_URL: url, LOG_LEVEL: 'debug' };
  const logged: string[] = [];
  const other = spawn(process.execPath, [MAIN], { env, stdio: 'pipe' });
  for (const stream of [other.stdout, other.stderr]) stream.on('data', (chunk) => logged.push(String(chunk)));
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));

  const validCard = card('4242424242424242');
  const body = orderBody(await tokenize({ url }, validCard.number));
  cardOrder.parse((await callCards({ url }, 'POST /orders', { key: body.code, body })).body);
  await askForToken(url, { type: 'card', card: { ...validCard, exp_year: 20 } });
  await askForToken(url, { type: 'card', card: { ...validCard, cvv: 'x' } });
  await askForToken(url, { type: 'card', card: card('4539578763621486') });
  await fetch(`${url}/core/v5/tokens?appId=${CARDS.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"number": "${validCard.number}`,
  });
  other.kill('SIGTERM');
  await once(other, 'exit');

  const tables = await bank.database.query<{ name: string }>(TABLES);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      bank.database.queryUnprepared(`SELECT to_json(t)::text AS row FROM ${name} t`, []),
    ),
  );
  const everything = [...logged, JSON.stringify(rows)].join('\n');
  expect(logged.join('')).toContain('/core/v5/tokens');
  expect(JSON.stringify(rows)).toContain(body.code);
  for (const secret of [
    validCard.number,
    '4539578763621486',
    '"987"',
    ' 987',
    validCard.holder_name,
    'Maria da Silva',
  ]) {
    expect(everything).not.toContain(secret);
  }
  await bank.close();
});
