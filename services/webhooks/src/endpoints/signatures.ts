import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Delivery } from '../domain/delivery.ts';
import { standardKeyOf } from '../domain/signing-secret.ts';

/** A secret as a key of each sort of signature. */
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

/** Nobody's: what they sign, no receiver may believe. */
export function forgedKeys(): SigningKeys {
  const key = createSecretKey(randomBytes(32));
  return { contract: key, standard: key };
}

/** Of the delivery, the same on every attempt but for the moment. */
interface Message extends Pick<Delivery, 'id' | 'eventId' | 'isTest' | 'sequence' | 'signatureVersion'> {
  body: Buffer;
  /** When this attempt was made. */
  at: Date;
}

/** What signs a delivery: the present secret, and before it those in their grace, oldest first. */
export type KeyRing = readonly [SigningKeys, ...SigningKeys[]];

/**
 * Contract section 6, rule 3, and what the configuration asks for besides. The contract's header has room for one signature: while a grace
 * runs it is that of the oldest secret, which a receiver knows longest.
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

/** Contract section 6, rule 4: over the very bytes that are sent. */
function contractSignature(body: Buffer, key: KeyObject): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/** Standard Webhooks 1.0.0: the moment is signed too, so that a receiver can refuse what is old. */
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
