import { describe, expect, test } from '@jest/globals';
import type { SealedTable, SealingKeys } from '@plataforma/data';
import { createRowSeals, sealedText } from '../src/index.ts';

const key = (first: number) => Buffer.from(Array.from({ length: 32 }, (_, index) => first + index));
const KEYS: SealingKeys = [{ id: 'k1', key: key(0) }];
const things: SealedTable = {
  name: 'things',
  fields: ['amount', 'at', 'payee', 'note', 'isRepeatable', 'later'],
};
const row = {
  ...{ id: '0192f3a4-0000-7000-8000-000000000001', note: null, isRepeatable: false },
  ...{ payee: { holder: 'João', account: '1-9' }, at: new Date('2026-11-30T03:00:00.123Z'), amount: 15_000 },
  ...{ attempts: 3 },
};

interface Line {
  table: string;
  id: string;
  seal: string;
}

function openSeals(keys: SealingKeys = KEYS, mode: 'accept' | 'require' = 'require') {
  const lines: Line[] = [];
  const log = { error: (line: object) => void lines.push(line as Line) };
  return {
    ...createRowSeals({ keys, mode, log: log as Parameters<typeof createRowSeals>[0]['log'] }),
    lines,
  };
}

describe('a seal', () => {
  test('is the HMAC of the table, the id and the fields with a value', () => {
    // Computed with Python: HMAC-SHA256 with the key HMAC-SHA256(bytes 0 to 31, 'plataforma: rows').
    expect(sealedText(things, row)).toBe(
      '["things","0192f3a4-0000-7000-8000-000000000001","amount",15000,"at","2026-11-30T03:00:00.123Z",' +
        '"payee",{"account":"1-9","holder":"João"},"isRepeatable",false]',
    );
    expect(openSeals().sealOf(things, row)).toBe('k1:5q0w3358BCti_-7gLUWtjUDCZ5ztKMsxyPOVXZCMtPw');
  });

  test('is good for its own row only', () => {
    const seals = openSeals();
    const seal = seals.sealOf(things, row);
    const changed = [
      { ...row, amount: 15_001 },
      { ...row, id: '0192f3a4-0000-7000-8000-000000000002' },
      { ...row, at: new Date('2026-11-30T03:00:00.124Z') },
      { ...row, payee: { ...row.payee, account: '1-8' } },
      { ...row, note: '' },
      { ...row, later: 1 },
      { ...row, amount: null },
    ];

    const reordered = { ...row, payee: { account: '1-9', holder: 'João' } };
    expect(seals.isTrusted(things, reordered, seal)).toBe(true);
    for (const other of changed) expect(seals.isTrusted(things, other, seal)).toBe(false);
    expect(seals.isTrusted({ ...things, name: 'others' }, row, seal)).toBe(false);
    expect(seals.lines).toHaveLength(changed.length + 1);
    expect(seals.lines[0]).toEqual({ table: 'things', id: row.id, seal: 'wrong' });
  });

  test('covers a text as PostgreSQL stores it', () => {
    const seals = openSeals();
    const sent = { ...row, note: 'a\ud800' };
    const seal = seals.sealOf(things, sent);
    const stored = { ...row, note: 'a\ufffd' };
    expect(seals.isTrusted(things, stored, seal)).toBe(true);
  });

  test('is not affected by a field that a later release adds and leaves empty', () => {
    const seals = openSeals();
    const seal = seals.sealOf(things, row);
    const wider = { ...things, fields: ['later', ...things.fields, 'latest'] };
    const read = { ...row, later: null };
    expect(seals.isTrusted(wider, read, seal)).toBe(true);
  });

  test.each([null, '', 'k1', 'k1:', ':', 'k2:AAAA', 'k1:AAAA'])('%j is refused', (seal) => {
    const seals = openSeals();
    expect(seals.isTrusted(things, row, seal)).toBe(false);
    expect(seals.lines).toEqual([{ table: 'things', id: row.id, seal: seal === null ? 'missing' : 'wrong' }]);
  });

  test('of an older key stays good until the key is removed', () => {
    const [old] = KEYS;
    const seal = openSeals().sealOf(things, row);
    const next = { id: 'k2', key: key(32) };
    expect(openSeals([next, old]).isTrusted(things, row, seal)).toBe(true);
    expect(openSeals([next, old]).sealOf(things, row)).toMatch(/^k2:/);
    expect(openSeals([next]).isTrusted(things, row, seal)).toBe(false);
    expect(openSeals([{ ...next, id: 'k1' }]).isTrusted(things, row, seal)).toBe(false);
  });

  test('may be missing or wrong while seals are only accepted', () => {
    const seals = openSeals(KEYS, 'accept');
    for (const seal of [null, 'k1:AAAA']) expect(seals.isTrusted(things, row, seal)).toBe(true);
    expect(seals.lines).toEqual([]);
  });
});
