import { describe, expect, test } from '@jest/globals';
import { type Answer, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { answerText } from '../src/sending/answer-text.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

describe('the stored text of an answer', () => {
  test.each([
    ['nothing', Buffer.alloc(0), ''],
    ['a text', Buffer.from('{"error":"não há \u20ac"}'), '{"error":"não há \u20ac"}'],
    ['a NUL', Buffer.from('a\0b'), 'a\ufffdb'],
    ['invalid UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]), 'a\ufffd\ufffd(b'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['a document', Buffer.from('cpf 123.456.789-09'), 'cpf [document]'],
    ['an e-mail address', Buffer.from('maria@loja.example is unknown'), '[e-mail] is unknown'],
    ['a secret', Buffer.from('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La+/Sw= is wrong'), 'whsec_*** is wrong'],
  ])('for %s', (_what, body, stored) => {
    expect(answerText(body)).toBe(stored);
  });

  test.each([
    ['begun', 'begun'],
    ['{"received":tr', '{"received":tr'],
    ['card 4000 0000 0', 'card '],
    ['cpf 123.456.7', 'cpf '],
    ['{"ok":true,"payerName":"Mari', '{"ok":true,"payerName"'],
    ['mail to maria@loj', 'mail to '],
    ['id 12, e-mail maria@loja.example, fine', 'id 12, e-mail [e-mail], fine'],
  ])('of an answer cut after %s is %s', (body, stored) => {
    expect(answerText(Buffer.from(body), true)).toBe(stored);
  });

  test.each(['@', 'a@', '1', '1(', ':"', ': ', '\\', '-eyJ'])(
    'for 4 KiB of %s takes the usual time',
    (piece) => {
      const hostile = Buffer.from(piece.repeat(4_096).slice(0, 4_096));
      const usual = Buffer.from('the order was not found '.repeat(200).slice(0, 4_096));
      const msOf = (body: Buffer) =>
        Math.min(
          ...Array.from({ length: 5 }, () => {
            const startedAt = process.cpuUsage();
            for (let round = 0; round < 4; round += 1) answerText(body, true);
            return process.cpuUsage(startedAt).user;
          }),
        );

      // With an earlier regular expression, the hostile texts took 300 times as long as the usual texts.
      expect(msOf(hostile)).toBeLessThan(30 * Math.max(msOf(usual), 500));
    },
  );

  test('is at most one KiB and ends with a whole character', () => {
    const stored = answerText(Buffer.from(`a${'\u20ac'.repeat(2_000)}`));

    expect(stored).toBe(`a${'\u20ac'.repeat(341)}`);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(1_024);
  });

  test('shows no part of a card number that is cut off', () => {
    const card = '4000 0000 0000 0010';
    for (let before = 900; before < 5_000; before += 7) {
      for (const filling of ['x ', 'maria@loja.example ']) {
        const padding = filling.repeat(Math.ceil(before / filling.length)).slice(0, before);
        const stored = answerText(Buffer.from(`${padding} ${card} ${'y'.repeat(5_000)}`));
        expect(stored).not.toMatch(/4000|0010/);
      }
    }
  });
});

const world = worldOfFile(() => startWorld({ attemptTimeoutMs: 5_000, retryDelaysMs: [600_000] }));

/** Returns the recorded attempt at a server that gives this response. */
async function attemptAt(answer: Answer) {
  const shop = await world.startMerchant();
  shop.answer(() => answer);
  const tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  await world.emitter.announce(paid(tenant));
  return eventually(async () => {
    const [row] = await world.database.query(
      'SELECT status_code, failure, response_body FROM delivery_attempts WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    expect(row).toBeDefined();
    return row;
  });
}

describe('an attempt records', () => {
  test('the beginning of an answer, successful or not', async () => {
    const good = await attemptAt({ status: 200, body: 'thank you' });
    const bad = await attemptAt({ status: 500, body: Buffer.from('\0 for 123.456.789-09') });
    const long = await attemptAt({ status: 404, body: 'x'.repeat(200_000) });

    expect(good).toEqual({ status_code: 200, failure: null, response_body: 'thank you' });
    expect(bad).toEqual({ status_code: 500, failure: null, response_body: '\ufffd for [document]' });
    expect(long).toEqual({ status_code: 404, failure: null, response_body: 'x'.repeat(1_024) });
  });

  test('the beginning and status of an answer that stalls', async () => {
    const row = await attemptAt({ status: 200, headers: { 'content-length': '100' }, body: 'thank you' });

    expect(row).toEqual({ status_code: 200, failure: null, response_body: 'thank you' });
  });

  test('nothing without an answer', async () => {
    const row = await attemptAt({ status: 200, delayMs: 60_000, body: 'late' });

    expect(row).toEqual({ status_code: null, failure: 'timeout', response_body: null });
  });
});
