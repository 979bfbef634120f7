import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@plataforma/kernel';
import { z } from 'zod';
import { createSecretBox, sealingKeys } from '../src/index.ts';

const older = { id: 'older', key: Buffer.alloc(32, 1) };
const newer = { id: 'newer', key: Buffer.alloc(32, 2) };

describe('a sealed secret', () => {
  test('is opened with any configured key and sealed with the first', () => {
    const before = createSecretBox([older]).seal('a secret of a merchant', 'owner');

    const box = createSecretBox([newer, older]);

    expect(box.open(before, 'owner')).toBe('a secret of a merchant');
    expect([before.keyId, box.seal('another', 'owner').keyId]).toEqual(['older', 'newer']);
  });

  test('is different each time', () => {
    const box = createSecretBox([newer]);

    const [one, two] = [box.seal('the same', 'owner'), box.seal('the same', 'owner')];

    expect(one.sealed.equals(two.sealed)).toBe(false);
  });

  test('cannot be opened for another owner, changed or without its key', () => {
    const box = createSecretBox([newer]);
    const sealed = box.seal('a secret of a merchant', 'owner');
    const changed = {
      ...sealed,
      sealed: Buffer.from(sealed.sealed.map((byte, i) => (i === 30 ? byte ^ 1 : byte))),
    };

    expect(() => box.open(sealed, 'somebody else')).toThrow();
    expect(() => box.open(changed, 'owner')).toThrow();
    expect(() => createSecretBox([older]).open(sealed, 'owner')).toThrow(
      'the sealing key newer is not configured',
    );
  });
});

describe('a mark', () => {
  const text = 'POST /v1/secrets';

  test('matches only its own text, with any configured key', () => {
    const mark = createSecretBox([older]).mark(text);

    const box = createSecretBox([newer, older]);

    expect([box.isMarkOf(mark, text), box.isMarkOf(mark, `${text}2`)]).toEqual([true, false]);
    expect([mark, box.mark(text)]).toEqual([
      expect.stringMatching(/^older:[\w-]{43}$/),
      expect.stringMatching(/^newer:[\w-]{43}$/),
    ]);
  });

  test('cannot be checked without its key', () => {
    const mark = createSecretBox([older]).mark(text);
    const sameName = createSecretBox([{ id: 'older', key: newer.key }]);

    expect(sameName.isMarkOf(mark, text)).toBe(false);
    expect(() => createSecretBox([newer]).isMarkOf(mark, text)).toThrow(
      'the sealing key older is not configured',
    );
  });

  test.each(['older', 'older:', 'older:x'])('is never %j', (mark) => {
    const box = createSecretBox([older, { id: 'olde', key: older.key }]);

    expect(box.isMarkOf(mark, text)).toBe(false);
  });
});

describe('the setting of keys', () => {
  const keys = (text: string) => readConfig(z.object({ KEYS: sealingKeys }), { KEYS: text }).KEYS;
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

  test('names keys, and the first one seals', () => {
    expect(keys(`new:${key(2)}, old:${key(1)}`)).toEqual([
      { id: 'new', key: Buffer.alloc(32, 2) },
      { id: 'old', key: Buffer.alloc(32, 1) },
    ]);
  });

  test.each([
    ['a key that is too short', 'one:dG9vIHNob3J0'],
    ['a key without a name', key(1)],
    ['a list with a duplicate name', `one:${key(1)},one:${key(2)}`],
    ['a list with a trailing comma', `one:${key(1)},`],
  ])('cannot be %s', (_what, text) => {
    expect(() => keys(text)).toThrow(
      'KEYS: must be keyId:base64-of-32-bytes, separated by commas, each id once',
    );
  });
});
