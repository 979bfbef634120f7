import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Delivery } from '../domain/delivery.ts';
import { standardKeyOf } from '../domain/signing-secret.ts';

/** The keys that are derived from one secret, for each kind of signature. */
export interface SigningKeys {
  contract: KeyObject;
  standard: KeyObject;
}

export function signingKeysOf(secret: string): SigningKeys {
  return {
    contract: createSecretKey(Buffer.from(secret)),
    standard: createSecretKey(standardKeyOf(secret)),
  };
}

/** Returns random keys. Every receiver must refuse signatures that were made with these keys. */
export function forgedKeys(): SigningKeys {
  const key = createSecretKey(randomBytes(32));
  return { contract: key, standard: key };
}

/** The fields of a delivery that its headers contain. All fields except `at` are equal on every attempt. */
interface Message extends Pick<Delivery, 'id' | 'eventId' | 'isTest' | 'sequence' | 'signatureVersion'> {
  body: Buffer;
  /** The time of this attempt. */
  at: Date;
}

/**
 * The keys that sign a delivery: those of secrets in their grace period, oldest first, then the current key.
 */
export type KeyRing = readonly [SigningKeys, ...SigningKeys[]];

/**
 * Returns the headers of a delivery (docs/webhooks.md, Signatures). `X-Webhook-Signature` has one signature.
 * During a grace period the oldest secret signs it, because every receiver has that secret.
 */
export function headersOf(message: Message, keys: KeyRing): Record<string, string> {
  const { id, eventId, isTest, sequence, body, signatureVersion } = message;
  return {
    'X-Webhook-Signature': contractSignature(body, keys[0].contract),
    'X-Webhook-Id': id,
    'X-Webhook-Event-Id': eventId,
    ...(sequence === null ? {} : { 'X-Webhook-Sequence': String(sequence) }),
    ...(isTest ? { 'X-Webhook-Test': 'true' } : {}),
    'Content-Type': 'application/json',
    'User-Agent': 'Plataforma-Webhook/1.0',
    ...(signatureVersion === 'standard' ? standardHeaders(message, keys) : {}),
  };
}

function contractSignature(body: Buffer, key: KeyObject): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/**
 * Returns the headers of Standard Webhooks 1.0.0. The signature covers the time, so that a receiver can
 * refuse old requests.
 */
function standardHeaders(
  { id, body, at }: Pick<Message, 'id' | 'body' | 'at'>,
  keys: KeyRing,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.toReversed().map(({ standard }) => {
    const hmac = createHmac('sha256', standard).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
