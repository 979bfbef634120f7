import { createHash } from 'node:crypto';
import { isUuid } from '@plataforma/kernel';
import { eventIn, type NewDeadLetter } from '@plataforma/tables';
import type { ConsumeMessage } from 'amqplib';
import type { Inspector } from './signatures.ts';

/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_800;

export function deadLetterOf(message: ConsumeMessage, inspector: Inspector): NewDeadLetter {
  const { content, properties } = message;
  const event = eventIn(content);
  const signature = event ? inspector.verdictOf(message, event) : null;
  const isBelieved = signature !== null && inspector.admits(signature);
  const death = lastDeathOf(properties.headers?.['x-death']);
  const hash = createHash('sha256').update(content).digest('hex');
  return {
    // Not the id of what can't be read or believed: the true event with that id would be taken for a copy of it.
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
  /** The routing key it was published with. */
  sentAs: string | null;
  at: Date | null;
}

/** From what the broker writes about a message's deaths, the last one first; whatever else stands there is not known. */
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
  return Object.entries(thing).find(([known]) => known === `${name}`)?.[1];
}

/** The id a body names itself by, whatever else is wrong with it. */
function idIn(body: Buffer): string | null {
  try {
    const id = memberOf(JSON.parse(body.toString('utf8')), 'id');
    return typeof id === 'string' && isUuid(id.toLowerCase()) ? id : null;
  } catch {
    return null;
  }
}

/** PostgreSQL keeps no NUL in a text. */
function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : null;
}
