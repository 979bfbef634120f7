import { expect, test } from '@jest/globals';
import { webhookExamples } from '@plataforma/contracts/webhook-examples';
import { z } from 'zod';
import { inside, isObject, listIn, operationsIn, resolved, type Schema } from '../src/schemas.ts';
import { text } from './support/document.ts';

const document = z.looseObject({}).parse(JSON.parse(text));
const operations = operationsIn(document);

/** All examples of responses, by operation and status, and of webhooks, by event. */
const examples: [string, Schema][] = [
  ...operations.flatMap(({ operationId, responses }) =>
    Object.entries(inside({ responses }, 'responses')).flatMap(([status, answer]): [string, Schema][] => {
      const { example } = inside(answer, 'content', 'application/json');
      return isObject(example) ? [[`${operationId} ${status}`, example]] : [];
    }),
  ),
  ...webhookExamples.map((event): [string, Schema] => [event.event, { ...event }]),
];
/** All examples of request bodies, by operation. */
const bodies = operations.flatMap(({ operationId, requestBody }): [string, Schema][] => {
  const [media] = Object.values(inside({ requestBody }, 'requestBody', 'content'));
  const { examples: written, schema } = isObject(media) ? media : {};
  const named = isObject(written) ? Object.values(written).map((one) => inside(one, 'value')) : [];
  const own = listIn(
    resolved(isObject(schema) ? schema : {}, inside(document, 'components', 'schemas')),
    'examples',
  );
  return [...named, ...own].filter(isObject).map((body) => [`${operationId}`, body]);
});
const answerOf = (name: string) => inside(Object.fromEntries(examples), name);

function objectsIn(json: unknown, example: string): [string, Schema][] {
  if (Array.isArray(json)) return json.flatMap((one) => objectsIn(one, example));
  if (!isObject(json)) return [];
  return [[example, json], ...Object.values(json).flatMap((inner) => objectsIn(inner, example))];
}

const objects = examples.flatMap(([name, example]) => objectsIn(example, name));
const numbers = (object: Schema, ...names: string[]) => names.map((name) => Number(object[name]));
const has = (object: Schema, ...names: string[]) => names.every((name) => typeof object[name] === 'number');
const account = inside(answerOf('getAccount 200'), 'data');

/** Fields whose values may differ between examples of one object, because they change over time. */
const CHANGES = ['status', 'state', 'attempts', 'resolution', 'refundedAmount', 'outcome', 'debt', 'message'];

test('an id has the same values in every example', () => {
  const firsts = new Map<string, { example: string; value: unknown }>();
  const contradictions = objects.flatMap(([example, { id, ...fields }]) =>
    Object.entries(fields).flatMap(([name, value]) => {
      if (typeof id !== 'string' || value === null || typeof value === 'object' || CHANGES.includes(name))
        return [];
      const first = firsts.get(`${id} ${name}`) ?? { example, value };
      firsts.set(`${id} ${name}`, first);
      return first.value === value ? [] : [`${example} ${name} ${value}, ${first.example} ${first.value}`];
    }),
  );

  expect(contradictions).toEqual([]);
});

test('a charge’s amount is its net amount plus fee', () => {
  const charges = objects.filter(([, one]) => has(one, 'amount', 'feeAmount', 'netAmount'));
  const wrong = charges.filter(([, one]) => {
    const [amount = 0, fee = 0, net = 0] = numbers(one, 'amount', 'feeAmount', 'netAmount');
    const [bps = 0, fixed = 0] = numbers(inside(account, 'fees', `${one.paymentMethod}`), 'bps', 'fixed');
    return amount !== fee + net || fee !== Math.round((amount * bps) / 10_000) + fixed;
  });
  const volumes = objects.filter(([, one]) => has(one, 'grossAmount', 'feeAmount', 'netAmount'));
  const wrongVolumes = volumes.filter(([, { grossAmount, feeAmount, netAmount }]) => {
    return grossAmount !== Number(feeAmount) + Number(netAmount);
  });

  expect(charges.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
  expect(wrongVolumes).toEqual([]);
});

test('a withdrawal’s amount is its net amount plus fee', () => {
  const withdrawals = objects.filter(([, one]) => has(one, 'amount', 'fee', 'netAmount'));
  const wrong = withdrawals.filter(
    ([, { amount, fee, netAmount }]) =>
      amount !== Number(fee) + Number(netAmount) || fee !== account.withdrawalFee,
  );

  expect(withdrawals.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});

test('a refund or a dispute is at most its charge', () => {
  const credits = listIn(answerOf('getStatement 200'), 'data').filter(isObject);
  const amountOf = (chargeId: unknown) =>
    Number(credits.find((row) => row.chargeId === chargeId && row.type === 'CREDIT')?.amount);
  const credited = objects.flatMap(
    ([example, { id, chargeId = id, amount, refund, refundedAmount, deadline, type }]) => [
      ...(isObject(refund) ? [{ example, charge: amountOf(id), part: Number(refund.amount) }] : []),
      ...(typeof refundedAmount === 'number' && chargeId && !type
        ? [{ example, charge: amountOf(chargeId), part: refundedAmount }]
        : []),
      ...(deadline === undefined ? [] : [{ example, charge: amountOf(chargeId), part: Number(amount) }]),
    ],
  );

  expect(credited.length).toBeGreaterThan(10);
  expect(credited.filter(({ charge, part }) => !(part <= charge))).toEqual([]);
});

test('the rows of the statement add up to the balance', () => {
  const { data, meta } = answerOf('getStatement 200');
  const rows = z
    .array(z.looseObject({ type: z.string(), amount: z.number(), balanceAfter: z.number() }))
    .parse(data)
    .toReversed();
  const { openingBalance, closingBalance } = z
    .looseObject({ openingBalance: z.number(), closingBalance: z.number() })
    .parse(meta);
  const sumOf = (matches: (row: Schema) => boolean) =>
    rows.filter(matches).reduce((sum, { amount }) => sum + amount, 0);
  const ofType = (type: string) => Math.abs(sumOf((row) => row.type === type));
  const balance = inside(answerOf('getBalance 200'), 'data');
  const pending = sumOf(({ paymentMethod }) => paymentMethod === 'CARD');

  let running = openingBalance;
  for (const { amount, balanceAfter } of rows) {
    running += amount;
    expect(balanceAfter).toBe(running);
  }
  expect(closingBalance).toBe(running);
  expect(balance).toMatchObject({
    availableBalance: running - pending,
    pendingBalance: pending,
    reservedBalance: ofType('DISPUTE_RESERVE'),
    totalEarned: ofType('CREDIT'),
    totalFeesPaid: ofType('FEE'),
    totalWithdrawn: ofType('WITHDRAWAL'),
  });
  expect(answerOf('listClosings 200')).toHaveProperty('data.closings.0.closingBalance', running);
  const summary = inside(answerOf('summarizeStatement 200'), 'data');
  const moved = listIn(summary, 'movements')
    .filter(isObject)
    .flatMap((row) => numbers(row, 'amount'));
  const [closing] = numbers(summary, 'closingBalance');
  expect([closing, moved.reduce((sum, amount) => sum + amount)]).toEqual([running, running]);
  expect(answerOf('listReceivables 200')).toHaveProperty('data.totalAmount', pending);
  expect(answerOf('listReceivableItems 200')).toHaveProperty('data.0.amount', pending);
});

test('the statement files show a row of the JSON answer', () => {
  const { responses } = operations.find(({ operationId }) => operationId === 'getStatement') ?? {};
  const fileOf = (type: string) => String(inside({ responses }, 'responses', '200', 'content', type).example);
  const rows = listIn(answerOf('getStatement 200'), 'data').filter(isObject);
  const [heads = '', line = ''] = fileOf('text/csv').split('\r\n');
  const cells = line.split(',').map((cell) => cell.replaceAll('"', ''));
  const shown = Object.fromEntries(heads.split(',').map((head, column) => [head, cells[column]]));
  const ofx = Object.fromEntries(
    [...fileOf('application/x-ofx').matchAll(/<(\w+)>([^<\r]+)/g)].map(([, tag, value]) => [tag, value]),
  );
  const row = rows.find(({ id }) => id === shown.id) ?? {};
  const [amount = 0, balanceAfter = 0] = numbers(row, 'amount', 'balanceAfter');
  const instant = new Date(String(row.createdAt));
  const local = new Date(instant.getTime() - 3 * 3_600_000).toISOString().replace(/[-:TZ]/g, '');

  expect(shown).toEqual({
    ...{ id: row.id, createdAt: row.createdAt, type: row.type, description: row.description },
    ...{ amount: `${amount}`, amountDecimal: `${amount / 100}`, paymentMethod: row.paymentMethod },
    ...{ balanceAfter: `${balanceAfter}`, balanceAfterDecimal: `${balanceAfter / 100}` },
    ...{ chargeId: row.chargeId, withdrawalId: '' },
  });
  expect(ofx).toMatchObject({ FITID: row.id, TRNAMT: `${amount / 100}`, DTPOSTED: `${local}[-3:BRT]` });
  expect(ofx.MEMO).toContain(row.externalId);
});

test.each([
  ['listReceivables 200', 'data'],
  ['listReceivableItems 200', 'meta'],
  ['listClosings 200', 'data'],
  ['readVolume 200', 'data'],
])('the example of %s names its time zone', (name, list) => {
  expect(inside(answerOf(name), list)).toHaveProperty('timeZone', 'America/Sao_Paulo');
});

test.each([
  ['createdAt', 'paidAt'],
  ['createdAt', 'expiresAt'],
  ['createdAt', 'completedAt'],
  ['createdAt', 'deadline'],
  ['createdAt', 'resolvedAt'],
  ['createdAt', 'rejectedAt'],
  ['occurredAt', 'settlesAt'],
  ['occurredAt', 'createdAt'],
  ['paidAt', 'settlesAt'],
  ['paidAt', 'returnedAt'],
  ['requestedAt', 'refundedAt'],
  ['requestedAt', 'failedAt'],
])('%s is not after %s', (earlier, later) => {
  const both = objects.filter(
    ([, one]) => typeof one[earlier] === 'string' && typeof one[later] === 'string',
  );
  const wrong = both.filter(([, one]) => `${one[earlier]}` > `${one[later]}`);

  expect(both).not.toEqual([]);
  expect(wrong.map(([example, one]) => [example, one[earlier], one[later]])).toEqual([]);
});

test('every example is of the sandbox', () => {
  const elsewhere = objects.filter(([, { environment = 'sandbox' }]) => environment !== 'sandbox');

  expect(elsewhere.map(([example]) => example)).toEqual([]);
});

test('a body uses ids and amounts of the answers', () => {
  const named = bodies.flatMap(([example, body]) =>
    Object.entries(body).flatMap(([name, value]) =>
      /Id$/.test(name) && name !== 'externalId' ? [{ example, name, value }] : [],
    ),
  );
  const values = new Set(objects.flatMap(([, one]) => Object.values(one)));
  const orders = bodies.flatMap(([example, { externalId, amount }]) =>
    objects
      .filter(([, one]) => externalId && one.externalId === externalId && has(one, 'netAmount'))
      .map(([answer, one]) => ({ example, answer, amounts: [amount, one.amount] })),
  );

  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ value }) => !values.has(value))).toEqual([]);
  expect(orders.length).toBeGreaterThan(5);
  expect(orders.filter(({ amounts: [ordered, shown] }) => ordered !== shown)).toEqual([]);
});

/** Fields of request bodies whose meaning differs from that of the response field with the same name. */
const UNLIKE = /^(replayDeadLetter\w+ reason|sendEvidence description)$/;

test('an answer repeats the fields of its first example body', () => {
  const shown = Object.fromEntries(examples);
  const pairs = [...new Map(bodies.toReversed())].flatMap(([operation, body]) => {
    const { data } = { ...shown[`${operation} 201`] };
    return Object.entries(isObject(data) ? data : {}).flatMap(([name, value]) => {
      const isComparable = Object.hasOwn(body, name) && value !== null && typeof value !== 'object';
      const isMasked = `${value}`.includes('***');
      const both = [body[name], value].map((one) => `${one}`.replace(/[ -]/g, ''));
      return isComparable && !isMasked && !UNLIKE.test(`${operation} ${name}`)
        ? [{ operation, name, both }]
        : [];
    });
  });

  expect(pairs.length).toBeGreaterThan(20);
  expect(pairs.filter(({ both: [sent, answered] }) => sent !== answered)).toEqual([]);
});
