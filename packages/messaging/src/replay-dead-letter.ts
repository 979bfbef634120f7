import { type Database, isTransientDatabaseError, type Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import {
  type Apply,
  claimUnseen,
  type DeadLetter,
  eventIn,
  lockDeadLetter,
  markReplayed,
  writeAudit,
} from '@plataforma/tables';
import { sometimes } from './fail-points.ts';
import type { Inspector } from './signatures.ts';

interface Parts {
  database: Database;
  log: Log;
  apply: Apply;
  inspector: Pick<Inspector, 'admits'>;
}

interface Wanted {
  id: string;
  operatorId: string;
  reason: string | null;
}

/** A letter's end: by now its event has had its effect, by this replay or by another copy before. */
export type Replayed = DeadLetter & { outcome: 'APPLIED' | 'APPLIED_BEFORE' };

/**
 * Applies a dead letter's event as if it had just arrived, in one transaction with the inbox, the letter's mark and the
 * row of the audit log: all of it, or nothing.
 */
export function replayDeadLetter(parts: Parts, { id, operatorId, reason }: Wanted): Promise<Replayed> {
  return parts.database.transaction(async (tx) => {
    const letter = await lockDeadLetter(tx, id);
    if (!letter) throw new Refusal('missing', 'NOT_FOUND', 'there is no dead letter with this id');
    if (letter.replayedAt) throw notNow(`it was replayed at ${letter.replayedAt.toISOString()} already`);
    const event = eventIn(letter.body);
    if (!event) throw notNow('it is no event that this release can read, and nothing was changed');

    // What an older release kept was not looked at, and its proof is gone.
    if (!parts.inspector.admits(letter.signature ?? 'unchecked')) throw notNow(UNPROVED);

    const isNew = await isUnseen(tx, event);
    if (isNew) await applyAgain(tx, event, parts);
    if (isNew) sometimes('dead letter replayed');
    const { id: eventId, type } = event;
    const replayedAt = await markReplayed(tx, { id, eventId, type });
    const outcome = isNew ? 'APPLIED' : 'APPLIED_BEFORE';
    const { diedAt, signature, reason: death } = letter;
    await writeAudit(tx, {
      operatorId,
      action: 'dead_letter.replay',
      subjectId: id,
      before: { replayedAt: null },
      after: { replayedAt, eventId, type, outcome },
      reason,
    });
    return { id, eventId, type, signature, reason: death, diedAt, replayedAt, outcome };
  });
}

const UNPROVED =
  'its signature is not of the service that events of this type come from; it is never applied, and nothing was changed';

async function isUnseen(tx: Transaction, event: DomainEvent): Promise<boolean> {
  const { unseen, unclaimable } = await claimUnseen(tx, [event]);
  if (unclaimable.length > 0) throw notNow(UNCLAIMABLE);
  return unseen.length > 0;
}

const UNCLAIMABLE =
  'its event is older than those that this service remembers, and may have been applied, or more than an hour ahead of the ' +
  'clock; nothing was changed';

/** A database that is away says nothing about the event; anything else does. */
async function applyAgain(tx: Transaction, event: DomainEvent, { apply, log }: Parts): Promise<void> {
  try {
    await apply(tx, [event]);
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    log.warn({ err: error, eventId: event.id, type: event.type }, 'a dead letter still can’t be applied');
    const why = error instanceof Refusal ? error.message : 'the log of this request says why';
    throw notNow(`it still can’t be applied, and nothing was changed: ${why}`);
  }
}

function notNow(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
