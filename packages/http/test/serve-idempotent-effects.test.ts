import { describe, expect, test } from '@jest/globals';
import { startForgettingKeys } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { codeOf, countKeys, LONG, newMerchant, notesOfFile } from './support/notes.ts';

const notes = notesOfFile();

describe('a refusal', () => {
  test('that is recorded is repeated for the same key', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    const first = await notes.post({ text: 'no' }, how);

    expect(first).toMatchObject({ status: 422, isReplay: false });
    expect(await notes.post({ text: 'no' }, how)).toEqual({ ...first, isReplay: true });
  });
});

describe('a refusal caused by the same request’s own effect', () => {
  test('is replaced by the first answer', async () => {
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

  test('is returned to a request with another key', async () => {
    const merchant = newMerchant();
    await notes.post({ text: 'only one' }, { key: 'nota-1', merchant });

    const other = await notes.post({ text: 'only one' }, { key: 'nota-2', merchant });

    expect([other.status, codeOf(other)]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('an effect', () => {
  test('is undone when a concurrent copy was faster, and its answer returned', async () => {
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

  test('is undone when the key belongs to a different request', async () => {
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

  test('with only its first step done is resumed by the same request', async () => {
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

  test('begun by a copy of the request has one result', async () => {
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

  test('with only its first step done conflicts with other requests', async () => {
    const how = { key: 'nota-1', merchant: newMerchant(), path: LONG } as const;
    notes.interrupt({ betweenSteps: () => Promise.reject(new Error('out of luck')) });
    await notes.post({ text: 'a' }, how);

    expect(codeOf(await notes.post({ text: 'b' }, how))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('is undone when its answer cannot be recorded', async () => {
    const how = { key: 'nota-1', merchant: newMerchant() };
    await notes.database.query('ALTER TABLE idempotency_keys ADD CONSTRAINT none CHECK (false) NOT VALID');
    const failed = await notes.post({ text: 'a' }, how);
    await notes.database.query('ALTER TABLE idempotency_keys DROP CONSTRAINT none');

    expect(failed.status).toBe(500);
    expect(await notes.texts()).toEqual([]);
    expect((await notes.post({ text: 'a' }, how)).status).toBe(201);
  });
});

describe('an idempotency key after 24 hours', () => {
  test('is deleted, and a younger one remains', async () => {
    const merchant = newMerchant();
    for (const key of ['old', 'young']) await notes.post({ text: key }, { key, merchant });
    await notes.database.query(
      `UPDATE idempotency_keys SET created_at = now() - CASE key WHEN 'old' THEN interval '24 hours 1 second'
       ELSE interval '23 hours 59 minutes' END`,
    );

    const forgetting = startForgettingKeys(notes.database, silent, 5);
    await eventually(async () => expect(await countKeys(notes)).toBe(1));
    await forgetting.stop();

    expect(await notes.post({ text: 'young' }, { key: 'young', merchant })).toMatchObject({ isReplay: true });
    expect(await notes.post({ text: 'old' }, { key: 'old', merchant })).toMatchObject({
      status: 201,
      isReplay: false,
    });
    expect(await notes.texts()).toEqual(['old', 'young', 'old']);
  });
});
