import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startForgettingKeys } from '../src/index.ts';
import { silent } from './support/log.ts';
import { type Notes, newMerchant, startNotes } from './support/notes.ts';

let notes: Notes;

beforeAll(async () => {
  notes = await startNotes();
});
beforeEach(async () => {
  notes.interrupt();
  await notes.database.query('TRUNCATE notes, idempotency_keys');
});
afterAll(() => notes.stop());

const LONG = '/v1/long-notes';
const codeOf = ({ text }: { text: string }) => JSON.parse(text).error?.code;
const keysKept = async () => {
  const [row] = await notes.database.query<{ number: number }>(
    'SELECT count(*) AS number FROM idempotency_keys',
  );
  return row?.number;
};

/** Lets nobody on until so many have come. */
function meetingOf(number: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come >= number) all.resolve();
    return all.promise;
  };
}

describe('without a key', () => {
  test('the same request again is another', async () => {
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
    expect(await keysKept()).toBe(0);
  });
});

describe.each(['/v1/notes', LONG] as const)('with a key, %s', (path) => {
  test('answers the same request with the same bytes, and says so', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path };
    const first = await notes.post({ text: 'a' }, how);

    const again = await notes.post({ text: 'a' }, how);

    expect(first).toMatchObject({ status: 201, isReplay: false });
    expect(again).toEqual({ ...first, isReplay: true });
    expect(await notes.texts()).toEqual(['a']);
  });

  test('has one effect however many come at once, and one answer for those that are answered', async () => {
    const merchant = newMerchant();

    for (let round = 0; round < 20; round += 1) {
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

describe('a key', () => {
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
  ])('tells %s from %s', async (one, other) => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    await notes.post(`{"text": "a", "more": ${one}}`, how);

    expect(codeOf(await notes.post(`{"text": "a", "more": ${other}}`, how))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('looks at no order of fields and no blanks', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const first = await notes.post('{"text":"a","x":{"p":1,"q":[{"r":1,"s":2}]}}', how);

    const again = await notes.post('{ "x": {"q": [{"s": 2, "r": 1}], "p": 1.0}, "text": "\\u0061" }', how);

    expect(again).toEqual({ ...first, isReplay: true });
  });

  test('takes a body that is nested deeper than the stack', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const body = `{"text":"a","x":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    const first = await notes.post(body, how);

    expect(first.status).toBe(201);
    expect(await notes.post(body, how)).toEqual({ ...first, isReplay: true });
  });

  test('is one merchant’s, in one environment', async () => {
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

  test.each(['', 'k'.repeat(256), 'a\tb', 'chave-é', '\u00a0', 'k\u0080'])('can’t be %j', async (key) => {
    const answer = await notes.post({ text: 'a' }, { key });

    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.parse(answer.text).error.message).toMatch(/^Idempotency-Key: /);
    expect(await notes.texts()).toEqual([]);
  });

  test('of a request that is refused before it begins is free for the mended one', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };

    expect((await notes.post({ text: 7 }, how)).status).toBe(400);
    expect((await notes.post({ text: 'a' }, how)).status).toBe(201);
  });
});

describe('a refusal', () => {
  test('that is kept is the answer for good', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const first = await notes.post({ text: 'no' }, how);

    expect(first).toMatchObject({ status: 422, isReplay: false });
    expect(await notes.post({ text: 'no' }, how)).toEqual({ ...first, isReplay: true });
  });
});

describe('a refusal because of what the same request has just done', () => {
  test('is not told: the first answer is', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    notes.interrupt({
      beforeKeep: async () => {
        arrived.resolve();
        await release.promise;
      },
    });
    const late = notes.post({ text: 'only one' }, how);
    await arrived.promise;
    notes.interrupt();
    const first = await notes.post({ text: 'only one' }, how);
    release.resolve();

    expect(first.status).toBe(201);
    expect(await late).toEqual({ ...first, isReplay: true });
  });

  test('is told to another request', async () => {
    const merchant = newMerchant();
    await notes.post({ text: 'only one' }, { key: 'nota-1', merchant });

    const other = await notes.post({ text: 'only one' }, { key: 'nota-2', merchant });

    expect([other.status, codeOf(other)]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('an effect', () => {
  test('is undone when another request with the key was faster, and the other’s answer is given', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    notes.interrupt({
      beforeKeep: async () => {
        arrived.resolve();
        await release.promise;
      },
    });
    const slow = notes.post({ text: 'a' }, how);
    await arrived.promise;
    notes.interrupt();

    const fast = await notes.post({ text: 'a' }, how);
    release.resolve();

    expect(fast).toMatchObject({ status: 201, isReplay: false });
    expect(await slow).toEqual({ ...fast, isReplay: true });
    expect(await notes.texts()).toEqual(['a']);
  });

  test('is undone when the key turns out to be another request’s', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    notes.interrupt({
      beforeKeep: async () => {
        arrived.resolve();
        await release.promise;
      },
    });
    const slow = notes.post({ text: 'slow' }, how);
    await arrived.promise;
    notes.interrupt();

    await notes.post({ text: 'fast' }, how);
    release.resolve();

    expect(codeOf(await slow)).toBe('IDEMPOTENCY_CONFLICT');
    expect(await notes.texts()).toEqual(['fast']);
  });

  test('of which only the first step was done is taken up by the same request', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path: LONG } as const;
    notes.interrupt({ betweenSteps: () => Promise.reject(new Error('out of luck')) });
    const failed = await notes.post({ text: 'a' }, how);
    const [begun] = await notes.database.query('SELECT id, is_done FROM notes');
    notes.interrupt();

    const again = await notes.post({ text: 'a' }, how);

    expect([failed.status, begun?.is_done]).toEqual([500, false]);
    expect([again.status, JSON.parse(again.text).data]).toEqual([201, { id: begun?.id, text: 'a' }]);
    expect(again.isReplay).toBe(false);
    expect(await notes.database.query('SELECT id, is_done FROM notes')).toEqual([
      { id: begun?.id, is_done: true },
    ]);
    expect(await notes.post({ text: 'a' }, how)).toEqual({ ...again, isReplay: true });
  });

  test('that another one of the same requests has begun is ended by nobody else', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path: LONG } as const;
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    notes.interrupt({
      beforeBegin: async () => {
        arrived.resolve();
        await release.promise;
      },
    });
    const late = notes.post({ text: 'a' }, how);
    await arrived.promise;
    notes.interrupt({ betweenSteps: () => Promise.reject(new Error('out of luck')) });
    await notes.post({ text: 'a' }, how);
    notes.interrupt();
    const [begun] = await notes.database.query('SELECT id FROM notes');
    release.resolve();

    expect(JSON.parse((await late).text).data).toEqual({ id: begun?.id, text: 'a' });
    expect(await notes.texts()).toEqual(['a']);
  });

  test('of which only the first step was done is no other request’s', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path: LONG } as const;
    notes.interrupt({ betweenSteps: () => Promise.reject(new Error('out of luck')) });
    await notes.post({ text: 'a' }, how);

    expect(codeOf(await notes.post({ text: 'b' }, how))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('whose answer can’t be kept did not happen', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    await notes.database.query('ALTER TABLE idempotency_keys ADD CONSTRAINT none CHECK (false) NOT VALID');
    const failed = await notes.post({ text: 'a' }, how);
    await notes.database.query('ALTER TABLE idempotency_keys DROP CONSTRAINT none');

    expect(failed.status).toBe(500);
    expect(await notes.texts()).toEqual([]);
    expect((await notes.post({ text: 'a' }, how)).status).toBe(201);
  });
});

describe('after 24 hours', () => {
  test('a key is forgotten, and not before', async () => {
    const merchant = newMerchant();
    for (const key of ['old', 'young']) await notes.post({ text: key }, { key, merchant });
    await notes.database.query(
      `UPDATE idempotency_keys SET created_at = now() - CASE key WHEN 'old' THEN interval '24 hours 1 second'
       ELSE interval '23 hours 59 minutes' END`,
    );

    const forgetting = startForgettingKeys(notes.database, silent, 5);
    await eventually(async () => expect(await keysKept()).toBe(1));
    await forgetting.stop();

    expect(await notes.post({ text: 'young' }, { key: 'young', merchant })).toMatchObject({ isReplay: true });
    expect(await notes.post({ text: 'old' }, { key: 'old', merchant })).toMatchObject({
      status: 201,
      isReplay: false,
    });
    expect(await notes.texts()).toEqual(['old', 'young', 'old']);
  });
});
