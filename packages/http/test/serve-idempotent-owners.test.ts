import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import express from 'express';
import { z } from 'zod';
import { type OperatorIdentity, serveIdempotentTo, serveTo } from '../src/index.ts';
import { codeOf, FIRST, newMerchant, notesOfFile } from './support/notes.ts';

const notes = notesOfFile();

const SECOND = { id: 'second', key: Buffer.alloc(32, 2) };

const newOperator = (): OperatorIdentity => ({ kind: 'operator', operatorId: newId(), role: 'ADMIN' });
const storedKeys = () => notes.database.query<Record<string, unknown>>('SELECT * FROM idempotency_keys');

describe('the owner of an idempotency key', () => {
  test.each([
    ['an operator', '/v1/admin/notes', newOperator],
    ['a merchant’s account', '/v1/account-notes', () => newMerchant()],
  ] as const)('%s gets its first answer again, another owner a new one', async (_who, path, make) => {
    const how = { key: 'k', merchant: make(), path };
    const first = await notes.post({ text: 'a' }, how);

    const [again, other] = [
      await notes.post({ text: 'a' }, how),
      await notes.post({ text: 'a' }, { ...how, merchant: make() }),
    ];

    expect([first.status, again]).toEqual([201, { ...first, isReplay: true }]);
    expect([other.status, other.isReplay, other.text === first.text]).toEqual([201, false, false]);
    expect(codeOf(await notes.post({ text: 'b' }, how))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await notes.texts()).toEqual(['a', 'a']);
  });

  test('differs between an account and its environments', async () => {
    const merchant = newMerchant();
    await notes.post({ text: 'a' }, { key: 'k', merchant });
    await notes.post({ text: 'b' }, { key: 'k', merchant: { ...merchant, environment: 'production' } });

    const answer = await notes.post({ text: 'c' }, { key: 'k', merchant, path: '/v1/account-notes' });

    expect([answer.status, answer.isReplay]).toEqual([201, false]);
    expect((await storedKeys()).map(({ realm }) => realm).sort()).toEqual([
      'account',
      'production',
      'sandbox',
    ]);
  });

  test('is checked before an operator’s key is used', async () => {
    const stranger = { ...newOperator(), role: 'SUPPORT' as const };

    const answer = await notes.post({ text: 'a' }, { key: 'k', merchant: stranger, path: '/v1/admin/notes' });

    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    expect(await storedKeys()).toEqual([]);
  });

  test('has one effect for concurrent requests of an operator', async () => {
    const path = '/v1/admin/notes';
    const merchant = newOperator();

    for (let round = 0; round < rounds(20); round += 1) {
      const how = { key: `k${round}`, merchant, path } as const;
      const answers = await Promise.all(Array.from({ length: 6 }, () => notes.post({ text: 'a' }, how)));

      expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
      expect(await notes.texts()).toHaveLength(round + 1);
    }
  });
});

describe('an endpoint with a secret in its answer', () => {
  const SECRET = 'canary-of-a-secret';
  const how = () => ({ key: 'k', merchant: newMerchant(), path: '/v1/secret-notes' }) as const;

  test('repeats the first answer and stores nothing readable', async () => {
    const request = how();
    const first = await notes.post({ text: SECRET }, request);

    const again = await notes.post({ text: SECRET }, request);

    expect([first.status, JSON.parse(first.text).data.text]).toEqual([201, SECRET]);
    expect(again).toEqual({ ...first, isReplay: true });
    const [row] = await storedKeys();
    const written = Buffer.from(String(row?.answer), 'base64').toString('latin1') + JSON.stringify(row);
    expect(written).not.toContain(SECRET);
    expect([row?.sealing_key_id, row?.request_hash]).toEqual(['first', expect.stringMatching(/^first:/)]);
    expect(codeOf(await notes.post({ text: 'another' }, request))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('seals a recorded refusal, too', async () => {
    const request = how();
    const first = await notes.post({ text: 'no' }, request);

    expect(await notes.post({ text: 'no' }, request)).toEqual({ ...first, status: 422, isReplay: true });
    expect((await storedKeys())[0]?.sealing_key_id).toBe('first');
  });

  test('repeats an answer sealed with the previous key', async () => {
    const request = how();
    const first = await notes.post({ text: SECRET }, request);

    notes.sealWith(SECOND, FIRST);

    expect(await notes.post({ text: SECRET }, request)).toEqual({ ...first, isReplay: true });
    expect(codeOf(await notes.post({ text: 'another' }, request))).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('refuses a key used by a request without a secret', async () => {
    const request = how();
    await notes.post({ text: 'a' }, { ...request, path: '/v1/notes' });

    const answer = await notes.post({ text: SECRET }, request);

    expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(await notes.texts()).toEqual(['a']);
  });

  test('does not return an answer moved to another key', async () => {
    const [mine, other] = [how(), how()];
    await notes.post({ text: SECRET }, mine);
    await notes.post({ text: SECRET }, other);
    await notes.database.query(
      `UPDATE idempotency_keys SET answer = (SELECT answer FROM idempotency_keys WHERE owner_id = $1)
       WHERE owner_id = $2`,
      [mine.merchant.merchantId, other.merchant.merchantId],
    );

    expect((await notes.post({ text: SECRET }, other)).status).toBe(500);
  });
});

describe('the declaration of an endpoint', () => {
  const endpoint: Endpoint = {
    method: 'post',
    path: '/v1/things',
    service: 'ledger',
    access: { kind: 'bearer' },
    summary: 'Makes a thing',
    params: z.object({}),
    query: z.object({}),
    body: z.object({}),
    status: 201,
    data: z.object({}),
    errors: [],
  };
  const authenticate = () => undefined;
  const answer = async () => ({ data: {} });
  const serveKeyed = (changes: Partial<Endpoint>) => () =>
    serveIdempotentTo(
      express(),
      { ...endpoint, ...changes },
      {
        authenticate,
        ownerOf: () => ({ realm: 'account', id: newId() }),
        database: notes.database,
        work: answer,
        show: (shown) => shown,
      },
    );

  test('as idempotent must match its implementation', () => {
    expect(() => serveTo(express(), { ...endpoint, keyed: true }, { authenticate, answer })).toThrow(
      '/v1/things is keyed',
    );
    expect(serveKeyed({})).toThrow('/v1/things does not say that it is keyed');
    expect(serveKeyed({ keyed: true })).not.toThrow();
  });

  test('with a secret needs a sealing key', () => {
    expect(serveKeyed({ keyed: true, carriesSecret: true })).toThrow('nothing seals it');
  });
});
