import { describe, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import { codeOf, countKeys, LONG, newMerchant, notesOfFile } from './support/notes.ts';

const notes = notesOfFile();

/** Returns a function whose promises all resolve once the function has been called `number` times. */
function meetingOf(number: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come >= number) all.resolve();
    return all.promise;
  };
}

describe('a request without an idempotency key', () => {
  test('is executed again when repeated', async () => {
    const merchant = newMerchant();

    const answers = [
      await notes.post({ text: 'a' }, { merchant }),
      await notes.post({ text: 'a' }, { merchant }),
    ];

    expect(answers).toMatchObject([
      { status: 201, isReplay: false },
      { status: 201, isReplay: false },
    ]);
    expect(await notes.texts()).toEqual(['a', 'a']);
    expect(await countKeys(notes)).toBe(0);
  });
});

describe.each(['/v1/notes', LONG] as const)('a request with an idempotency key, %s', (path) => {
  test('gets the same bytes again, marked as replayed', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path };
    const first = await notes.post({ text: 'a' }, how);

    const again = await notes.post({ text: 'a' }, how);

    expect(first).toMatchObject({ status: 201, isReplay: false });
    expect(again).toEqual({ ...first, isReplay: true });
    expect(await notes.texts()).toEqual(['a']);
  });

  test('has one effect and one answer for concurrent copies', async () => {
    const merchant = newMerchant();

    for (let round = 0; round < rounds(20); round += 1) {
      const how = { key: `nota-${round}`, merchant, path };
      const meeting = meetingOf(6);
      notes.interrupt({ beforeKeep: meeting, beforeBegin: meeting });
      const answers = await Promise.all(Array.from({ length: 6 }, () => notes.post({ text: 'a' }, how)));

      const given = answers.filter(({ status }) => status === 201);
      expect(answers.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
        Array.from({ length: 6 - given.length }, () => 'REQUEST_IN_PROGRESS'),
      );
      expect(new Set(given.map(({ text }) => text)).size).toBe(1);
      expect(given.filter(({ isReplay }) => !isReplay).length).toBeGreaterThan(0);
      expect(await notes.texts()).toHaveLength(round + 1);
    }
  });
});

describe('an idempotency key', () => {
  test.each<[string, unknown]>([
    ['another value', { text: 'b' }],
    ['one field more', { text: 'a', note: null }],
    ['a list in another order', { text: 'a', list: [2, 1] }],
  ])('sent with %s is refused', async (_what, body) => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    await notes.post({ text: 'a', ...(JSON.stringify(body).includes('list') ? { list: [1, 2] } : {}) }, how);

    const answer = await notes.post(body, how);

    expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(await notes.texts()).toEqual(['a']);
  });

  test.each([
    ['[1, [2]]', '[[1], 2]'],
    ['["a", "b"]', '["a\\nb"]'],
    ['{"b": {"c": 1}}', '{"b": {}, "c": 1}'],
    ['{"1": "x"}', '["x"]'],
    ['[]', '{}'],
    ['null', '"null"'],
    ['1', '"1"'],
    ['[[], {}]', '[{}, []]'],
  ])('distinguishes %s from %s', async (one, other) => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    await notes.post(`{"text": "a", "more": ${one}}`, how);

    expect(codeOf(await notes.post(`{"text": "a", "more": ${other}}`, how))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('ignores the order of fields and white space', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const first = await notes.post('{"text":"a","x":{"p":1,"q":[{"r":1,"s":2}]}}', how);

    const again = await notes.post('{ "x": {"q": [{"s": 2, "r": 1}], "p": 1.0}, "text": "\\u0061" }', how);

    expect(again).toEqual({ ...first, isReplay: true });
  });

  test('accepts a body at the maximum depth of lists', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const body = `{"text":"a","x":${'['.repeat(990)}${']'.repeat(990)}}`;
    const first = await notes.post(body, how);

    expect(first.status).toBe(201);
    expect(await notes.post(body, how)).toEqual({ ...first, isReplay: true });
  });

  test('is separate for each merchant and environment', async () => {
    const merchant = newMerchant();
    const others = [newMerchant(), newMerchant({ ...merchant, environment: 'production' })];

    const answers = [];
    for (const one of [merchant, ...others])
      answers.push(await notes.post({ text: 'a' }, { key: 'k', merchant: one }));

    expect(answers.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      [201, false],
      [201, false],
      [201, false],
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(3);
  });

  test('belongs to one path', async () => {
    const merchant = newMerchant();
    await notes.post({ text: 'a' }, { key: 'k', merchant });

    const answer = await notes.post({ text: 'a' }, { key: 'k', merchant, path: LONG });

    expect(codeOf(answer)).toBe('IDEMPOTENCY_CONFLICT');
    expect(await notes.texts()).toEqual(['a']);
  });

  test.each(['k', '!', '~', 'k'.repeat(255), 'a b', '7f1c2f6e-1d2b-4c3a'])('may be %j', async (key) => {
    expect((await notes.post({ text: 'a' }, { key })).status).toBe(201);
  });

  test.each(['', 'k'.repeat(256), 'a\tb', 'chave-é', '\u00a0', 'k\u0080'])('cannot be %j', async (key) => {
    const answer = await notes.post({ text: 'a' }, { key });

    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.parse(answer.text).error.message).toMatch(/^Idempotency-Key: /);
    expect(await notes.texts()).toEqual([]);
  });

  test.each(['4000000000000010', 'pedido 4000 0000 0000 0010', 'order-378282246310005'])(
    'with a card number (%j) is refused and not stored',
    async (key) => {
      const answer = await notes.post({ text: 'a' }, { key });

      expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
      expect(JSON.parse(answer.text).error.message).toMatch(/^Idempotency-Key: holds a card number/);
      expect(answer.text).not.toMatch(/4000|3782/);
      expect(await notes.texts()).toEqual([]);
      expect(await countKeys(notes)).toBe(0);
    },
  );

  test('of an invalid request remains free for the corrected one', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };

    expect((await notes.post({ text: 7 }, how)).status).toBe(400);
    expect((await notes.post({ text: 'a' }, how)).status).toBe(201);
  });
});
