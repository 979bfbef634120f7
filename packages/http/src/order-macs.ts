import { createHmac, createSecretKey, diffieHellman, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { TokenKey } from './token-keys.ts';

/** The label from which the secrets are derived, so that a secret of another use makes no HMAC of an order. */
const LABEL = 'plataforma: orders';
const SEPARATOR = ':';

/**
 * A secret that the gateway and one receiver of orders derive from their keys, by Diffie-Hellman. To verify
 * an HMAC costs a tenth of the time of a signature, and no other service can make it.
 */
export interface OrderSecret {
  /** The id of the other side's key. */
  id: string;
  secret: KeyObject;
}

/** Derives the secrets that the owner of a private key shares with the owners of `others`. */
export function orderSecrets(privateKey: KeyObject, others: readonly TokenKey[]): OrderSecret[] {
  return others.map(({ id, key: publicKey }) => {
    const shared = diffieHellman({ privateKey, publicKey });
    return { id, secret: createSecretKey(createHmac('sha256', shared).update(LABEL).digest()) };
  });
}

/** Returns the HMAC of a text for one receiver, after the id of the receiver's key. */
export function macFor({ id, secret }: OrderSecret, text: string): string {
  return id + SEPARATOR + createHmac('sha256', secret).update(text).digest('base64url');
}

/** Returns true if one of `macs` is the HMAC of the text for the receiver with the key `ownId`. */
export function hasMac(macs: readonly string[], text: string, own: OrderSecret): boolean {
  const expected = Buffer.from(macFor(own, text));
  return macs.some((mac) => {
    const given = Buffer.from(mac);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
