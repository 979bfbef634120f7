import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type FakeMerchant, startFakeMerchant } from '@plataforma/testing';
import { diceOf } from '../../../src/chaos/dice.ts';
import { forgeryOf } from '../../../src/chaos/network/forgery.ts';
import { openPostOffice, type PostOffice } from '../../../src/chaos/network/post-office.ts';

let gateway: FakeMerchant;
let office: PostOffice;

beforeEach(async () => {
  gateway = await startFakeMerchant();
  office = await openPostOffice({ gatewayUrl: gateway.url, dice: diceOf('letters') });
});

afterEach(async () => {
  await office.stop();
  await gateway.stop();
});

const PATH = '/callbacks/pix/the-secret-of-it';

function noticeOf(number: number): string {
  return JSON.stringify({ pix: [{ endToEndId: `E${number}`, txid: `charge${number}`, valor: '12.34' }] });
}

async function send(number: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(office.url + PATH, { method: 'POST', headers, body: noticeOf(number) })).status;
}

function arrived(): string[] {
  return gateway.deliveries.map(({ path, body }) => `${path} ${body}`);
}

const whole = (...numbers: number[]) => numbers.map((number) => `${PATH} ${noticeOf(number)}`);

describe('the callback proxy', () => {
  test('forwards a callback unchanged and returns the answer', async () => {
    gateway.answer(() => ({ status: 503 }));

    expect(await send(1)).toBe(503);

    expect(arrived()).toEqual(whole(1));
    expect(gateway.deliveries[0]?.headers['content-type']).toBe('application/json');
    expect(office.letters).toMatchObject([
      { path: PATH, body: noticeOf(1), how: 'passed', answers: [{ status: 503 }] },
    ]);
  });

  test('answers 502 when the gateway does not answer', async () => {
    await gateway.stop();

    expect(await send(1)).toBe(502);

    expect(office.letters).toMatchObject([{ answers: [{ status: null }] }]);
  });

  test('duplicates a callback the configured number of times', async () => {
    office.mistreat({ kind: 'duplicated', copies: 2 }, 1);

    await send(1);
    await send(2);

    await eventually(() => expect(arrived().toSorted()).toEqual(whole(1, 1, 1, 2)));
    expect(office.letters.map(({ how }) => how)).toEqual(['duplicated', 'passed']);
  });

  test('loses a callback', async () => {
    office.mistreat({ kind: 'lost' }, 1);

    expect(await send(1)).toBe(200);
    await send(2);

    expect(arrived()).toEqual(whole(2));
  });

  test('delays a callback', async () => {
    office.mistreat({ kind: 'late', ms: 200 }, 1);
    const startedAt = performance.now();

    expect(await send(1)).toBe(200);

    expect(performance.now() - startedAt).toBeGreaterThan(195);
    expect(arrived()).toEqual(whole(1));
  });

  test('delivers a late callback even after its sender left', async () => {
    office.mistreat({ kind: 'late', ms: 600_000 }, 1);
    const waiting = new AbortController();
    const hasty = fetch(office.url + PATH, { method: 'POST', body: noticeOf(1), signal: waiting.signal });
    await eventually(() => expect(office.letters).toHaveLength(1));
    waiting.abort();
    await expect(hasty).rejects.toThrow();

    await send(2);
    office.heal();

    await eventually(() => expect(arrived()).toEqual(whole(2, 1)));
  });

  test('delivers later callbacks first', async () => {
    office.mistreat({ kind: 'reordered' }, 1);

    const first = send(1);
    await eventually(() => expect(office.letters).toHaveLength(1));
    await send(2);
    await send(3);

    expect(await first).toBe(200);
    expect(arrived()).toEqual(whole(2, 3, 1));
  });

  test('delivers all delayed callbacks when the fault ends', async () => {
    office.mistreat({ kind: 'reordered' }, 5);
    office.mistreat({ kind: 'late', ms: 600_000 }, 1);
    const delayed = send(1);
    await eventually(() => expect(office.letters).toHaveLength(1));

    office.heal();

    expect([await delayed, await send(2)]).toEqual([200, 200]);
    expect(arrived()).toEqual(whole(1, 2));
  });

  test('adds a forgery, whose answer the sender does not get', async () => {
    gateway.answer(({ body }) => ({ status: body.toString() === noticeOf(1) ? 200 : 404 }));
    office.mistreat({ kind: 'forged' }, 1);

    expect(await send(1)).toBe(200);

    await eventually(() => expect(arrived()).toHaveLength(2));
    expect(arrived().filter((letter) => letter === whole(1)[0])).toHaveLength(1);
    const answered = () => office.letters.flatMap(({ answers }) => answers.map(({ path }) => path));
    await eventually(() =>
      expect(answered().toSorted()).toEqual(gateway.deliveries.map(({ path }) => path).toSorted()),
    );
  });
});

test('a forgery changes secret, amount, outcome, id or owner', () => {
  const notice = (number: number) => ({
    path: PATH,
    body: JSON.stringify({
      pix: [
        {
          endToEndId: `E00000000000000000000000000000${number}`,
          ...{ txid: `txid${number}`, valor: '12.34', status: 'REALIZADO' },
        },
      ],
    }),
  });
  const dice = diceOf('forgeries');
  const made = Array.from({ length: 200 }, () => forgeryOf(notice(1), [notice(2)], dice));

  const isDifferent = (pattern: RegExp) =>
    made.some(({ body }) => pattern.exec(body)?.[0] !== pattern.exec(notice(1).body)?.[0]);
  expect(made.some(({ path }) => path !== PATH)).toBe(true);
  expect([/"valor":"[^"]+"/, /"status":"\w+"/, /"endToEndId":"\w+"/].map(isDifferent)).toEqual([
    true,
    true,
    true,
  ]);
  expect(made.some(({ body }) => body.includes('"txid2"') && body.includes('000001"'))).toBe(true);
});
