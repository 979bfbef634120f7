import { createHash } from 'node:crypto';
import type { SecretBox } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { KeyedRequest, KeyOwner } from '@plataforma/tables';
import { refuseCardNumber } from './card-number.ts';

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

interface Sent {
  header: string | undefined;
  owner: KeyOwner;
  /** The box that seals the saved answer. Null when neither the request nor its answer holds a secret. */
  secretBox: SecretBox | null;
  method: string;
  path: string;
  body: unknown;
}

/**
 * Returns the identity of a request with an `Idempotency-Key`, or null without the header. Refuses with
 * VALIDATION_ERROR a key that is not 1 to 255 printable characters, or that holds a card number. Two bodies
 * count as equal if they are the same JSON, in any order of fields.
 */
export function keyedRequest({ header, owner, secretBox, method, path, body }: Sent): KeyedRequest | null {
  if (header === undefined) return null;
  if (!PRINTABLE.test(header)) {
    throw new Refusal(
      'invalid',
      'VALIDATION_ERROR',
      'Idempotency-Key: must be 1 to 255 printable characters',
    );
  }
  // The database stores the key in plain text, so the key may not hold a card number.
  refuseCardNumber('Idempotency-Key', header);
  const text = `${method} ${path}\n${canonical(body ?? {})}`;
  // If the request or its answer holds a secret, the database stores a keyed hash of the request (`mark`). An
  // attacker who reads a plain hash could test guessed passwords.
  if (secretBox) {
    const isHashedAs = (hash: string) => secretBox.isMarkOf(hash, text);
    return { owner, key: header, requestHash: secretBox.mark(text), isHashedAs, secretBox };
  }
  const requestHash = createHash('sha256').update(text).digest('base64url');
  return { owner, key: header, requestHash, isHashedAs: (hash) => hash === requestHash, secretBox };
}

/**
 * Returns the same text for equal JSON values. Objects contribute their field names and lists their length,
 * followed by the values inside.
 */
function canonical(body: unknown): string {
  const texts: string[] = [];
  // The loop appends to the list that it reads. A recursive function would overflow the stack for a deeply
  // nested body of 100 KiB.
  const values = [body];
  for (const value of values) {
    if (Array.isArray(value)) {
      texts.push(`[${value.length}]`);
      for (const part of value) values.push(part);
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
      texts.push(JSON.stringify(fields.map(([name]) => name)));
      for (const [, part] of fields) values.push(part);
    } else texts.push(JSON.stringify(value));
  }
  return texts.join('\n');
}
