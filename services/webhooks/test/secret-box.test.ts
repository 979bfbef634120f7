import { describe, expect, test } from '@jest/globals';
import { createSecretBox, newSecret } from '../src/secret-box.ts';

const older = { id: 'older', key: Buffer.alloc(32, 1) };
const newer = { id: 'newer', key: Buffer.alloc(32, 2) };

describe('a sealed secret', () => {
  test('is opened by any key that is still configured, and new ones are sealed with the first', () => {
    const before = createSecretBox([older]).seal('a secret of a merchant', 'owner');

    const box = createSecretBox([newer, older]);

    expect(box.open(before, 'owner')).toBe('a secret of a merchant');
    expect([before.keyId, box.seal('another', 'owner').keyId]).toEqual(['older', 'newer']);
  });

  test('looks different each time', () => {
    const box = createSecretBox([newer]);

    const [one, two] = [box.seal('the same', 'owner'), box.seal('the same', 'owner')];

    expect(one.sealed.equals(two.sealed)).toBe(false);
  });

  test('is not opened for another owner, with a bit changed, or without its key', () => {
    const box = createSecretBox([newer]);
    const sealed = box.seal('a secret of a merchant', 'owner');
    const changed = {
      ...sealed,
      sealed: Buffer.from(sealed.sealed.map((byte, i) => (i === 30 ? byte ^ 1 : byte))),
    };

    expect(() => box.open(sealed, 'somebody else')).toThrow();
    expect(() => box.open(changed, 'owner')).toThrow();
    expect(() => createSecretBox([older]).open(sealed, 'owner')).toThrow(
      'WEBHOOK_SECRET_KEYS lacks the key newer',
    );
  });
});

describe('a generated secret', () => {
  test('is never the same twice', () => {
    expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
  });
});
