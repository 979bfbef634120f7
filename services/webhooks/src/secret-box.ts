import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedSecret } from './domain/configuration.ts';

export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

export interface SecretBox {
  /** Seals with the first key. What was sealed for one owner can't be opened as another's. */
  seal(secret: string, owner: string): SealedSecret;
  /** Throws when the key is not configured, or when secret or owner are not what was sealed. */
  open(sealed: SealedSecret, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createSecretBox(keys: readonly [SealingKey, ...SealingKey[]]): SecretBox {
  const [sealing] = keys;
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));

  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing.key, nonce).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { keyId: sealing.id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) };
    },
    open({ keyId, sealed }, owner) {
      const key = keyOf.get(keyId);
      if (!key) throw new Error(`WEBHOOK_SECRET_KEYS lacks the key ${keyId}`);
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString();
    },
  };
}

const SECRET_BYTES = 32;

/** For a merchant who brought none: 256 random bits, behind a prefix that leak scanners can recognise. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
