import { createHash } from 'node:crypto';
import { isUuid } from '@plataforma/kernel';
import { eventIn, type NewDeadLetter } from '@plataforma/tables';
import type { ConsumeMessage } from 'amqplib';
import type { SignaturePolicy } from './signatures.ts';

/** The end of the year 9999, in Unix seconds. */
const MAX_SECONDS = 253_402_300_800;

export function deadLetterOf(message: ConsumeMessage, signaturePolicy: SignaturePolicy): NewDeadLetter {
  const { content, properties } = message;
  const event = eventIn(content);
  const signature = event ? signaturePolicy.verify(message, event) : null;
  const isBelieved = signature !== null && signaturePolicy.accepts(signature);
  const death = lastDeathOf(properties.headers?.['x-death']);
  const hash = createHash('sha256').update(content).digest('hex');
  return {
    // The hash identifies an unreadable or unsigned message. If a forged message had its id as fingerprint,
    // the genuine event with this id would count as a copy of the forgery.
    fingerprint: event && isBelieved ? event.id : hash,
    eventId: event?.id ?? idIn(content),
    type: event?.type ?? death.sentAs,
    signature,
    body: content,
    reason: death.reason,
    diedAt: death.at,
  };
}

interface Death {
  reason: string | null;
  /** The routing key with which the producer published the message. */
  sentAs: string | null;
  at: Date | null;
}

/**
 * Reads the first entry of the broker's `x-death` header, which is the newest. Returns nulls for an unknown
 * format.
 */
function lastDeathOf(header: unknown): Death {
  const last: unknown = Array.isArray(header) ? header[0] : undefined;
  const seconds = memberOf(memberOf(last, 'time'), 'value');
  return {
    reason: textIn(memberOf(last, 'reason')),
    sentAs: textIn(memberOf(memberOf(last, 'routing-keys'), 0)),
    at: typeof seconds === 'number' && seconds < MAX_SECONDS ? new Date(seconds * 1_000) : null,
  };
}

function memberOf(thing: unknown, name: string | number): unknown {
  if (typeof thing !== 'object' || thing === null) return undefined;
  return Object.entries(thing).find(([key]) => key === `${name}`)?.[1];
}

/** Returns the id in a body, even if the body is no valid event. */
function idIn(body: Buffer): string | null {
  try {
    const id = memberOf(JSON.parse(body.toString('utf8')), 'id');
    return typeof id === 'string' && isUuid(id.toLowerCase()) ? id : null;
  } catch {
    return null;
  }
}

/** Returns a text without NUL characters, because PostgreSQL cannot store them. */
function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : null;
}
