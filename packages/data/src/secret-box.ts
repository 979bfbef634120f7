import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export interface SealingKey {
  id: string;
  /** A key of 32 bytes. */
  key: Buffer;
}

/**
 * The first key seals, and all keys open. To change keys, put the new key first, and keep the old key until
 * no secret needs it.
 */
export type SealingKeys = readonly [SealingKey, ...SealingKey[]];

export interface SealedSecret {
  keyId: string;
  /** The nonce, the tag and the ciphertext, concatenated. */
  sealed: Buffer;
}

export interface SecretBox {
  /** Seals a secret with the first key. Only a call with the same owner can open the result. */
  seal(secret: string | Buffer, owner: string): SealedSecret;
  /**
   * Opens a sealed secret. Throws when the key that sealed it is not configured, when the sealed bytes were
   * changed, or when the secret was sealed for another owner.
   */
  open(sealed: SealedSecret, owner: string): string;
  openBytes(sealed: SealedSecret, owner: string): Buffer;
  /**
   * Opens a secret that arrives in pieces. The first piece contains the nonce and the tag. `end` returns all
   * bytes, or throws as `open` does.
   */
  openPieces(first: SealedSecret, owner: string): { add(piece: Buffer): void; end(): Buffer };
  /**
   * Returns a mark with which the same text can be recognized later. Without the key, a guessed text cannot
   * be compared with a mark.
   */
  mark(text: string): string;
  /**
   * Returns true when `mark` was made from this text, and false for a malformed mark. Throws when the key of
   * the mark is not configured.
   */
  isMarkOf(mark: string, text: string): boolean;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * The label from which the key for marks is derived, so that the sealing key itself is used only for sealing.
 */
const MARKING = 'plataforma: marks';

/** Creates a box that seals secrets with AES-256-GCM and marks texts with HMAC-SHA256. */
export function createSecretBox(keys: SealingKeys): SecretBox {
  const [sealing] = keys;
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));
  const find = (id: string) => {
    const key = keyOf.get(id);
    if (key) return key;
    throw new Error(`the sealing key ${id} is not configured`);
  };
  const markWith = (id: string, text: string) => {
    const key = createHmac('sha256', find(id)).update(MARKING).digest();
    return `${id}:${createHmac('sha256', key).update(text).digest('base64url')}`;
  };

  const openPieces: SecretBox['openPieces'] = ({ keyId, sealed }, owner) => {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, find(keyId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
    const pieces = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))];
    return {
      add: (piece) => void pieces.push(decipher.update(piece)),
      end: () => Buffer.concat([...pieces, decipher.final()]),
    };
  };
  const openBytes: SecretBox['openBytes'] = (sealed, owner) => openPieces(sealed, owner).end();

  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing.key, nonce).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([
        cipher.update(typeof secret === 'string' ? Buffer.from(secret) : secret),
        cipher.final(),
      ]);
      return { keyId: sealing.id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) };
    },
    open: (sealed, owner) => openBytes(sealed, owner).toString(),
    openBytes,
    openPieces,
    mark: (text) => markWith(sealing.id, text),
    isMarkOf(mark, text) {
      const end = mark.indexOf(':');
      if (end < 0) return false;
      const expected = Buffer.from(markWith(mark.slice(0, end), text));
      const given = Buffer.from(mark);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

const KEY_FORMAT = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** Parses a setting with one or more keys, `keyId:base64` of 32 bytes each, separated by commas. */
export const sealingKeys = z.string().transform((text, context): SealingKeys => {
  const [first, ...others] = text.split(',').map(readKey);
  const ids = new Set([first, ...others].map((key) => key?.id));
  if (first && others.every((key) => key !== null) && ids.size === others.length + 1)
    return [first, ...others];
  context.addIssue({
    code: 'custom',
    message: 'must be keyId:base64-of-32-bytes, separated by commas, each id once',
  });
  return z.NEVER;
});

function readKey(text: string): SealingKey | null {
  const [, id, key] = KEY_FORMAT.exec(text.trim()) ?? [];
  return id && key ? { id, key: Buffer.from(key, 'base64') } : null;
}
