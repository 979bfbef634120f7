import { type Database, isTransientDatabaseError, type Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import {
  type Apply,
  claimUnapplied,
  type DeadLetter,
  eventIn,
  lockDeadLetter,
  markReplayed,
  writeAudit,
} from '@plataforma/tables';
import { situation } from './fail-points.ts';
import type { SignaturePolicy } from './signatures.ts';

interface Dependencies {
  database: Database;
  log: Log;
  apply: Apply;
  signaturePolicy: Pick<SignaturePolicy, 'accepts'>;
}

/**
 * A replayed dead letter. The outcome `APPLIED_BEFORE` means that a copy of the event was applied earlier.
 */
export type Replayed = DeadLetter & { outcome: 'APPLIED' | 'APPLIED_BEFORE' };

/**
 * Applies the event of a dead letter like a new event. The inbox row, the mark on the dead letter and the
 * audit row are committed in the same transaction.
 */
export function replayDeadLetter(
  dependencies: Dependencies,
  { id, operatorId, reason }: { id: string; operatorId: string; reason: string | null },
): Promise<Replayed> {
  return dependencies.database.transaction(async (tx) => {
    const deadLetter = await lockDeadLetter(tx, id);
    if (!deadLetter) throw new Refusal('missing', 'NOT_FOUND', 'there is no dead letter with this id');
    if (deadLetter.replayedAt)
      throw notNow(`it was replayed at ${deadLetter.replayedAt.toISOString()} already`);
    const event = eventIn(deadLetter.body);
    if (!event) throw notNow('it is no event that this release can read, and nothing was changed');

    // Dead letters that an older release stored have no checked signature. Their proof is lost, so the
    // signature cannot be checked now.
    if (!dependencies.signaturePolicy.accepts(deadLetter.signature ?? 'unchecked')) throw notNow(UNPROVED);

    const isNew = await isUnapplied(tx, event);
    if (isNew) await applyAgain(tx, event, dependencies);
    if (isNew) situation('dead letter replayed');
    const { id: eventId, type } = event;
    const replayedAt = await markReplayed(tx, { id, eventId, type });
    const outcome = isNew ? 'APPLIED' : 'APPLIED_BEFORE';
    const { diedAt, signature, reason: death } = deadLetter;
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

async function isUnapplied(tx: Transaction, event: DomainEvent): Promise<boolean> {
  const { unapplied, unclaimable } = await claimUnapplied(tx, [event]);
  if (unclaimable.length > 0) throw notNow(UNCLAIMABLE);
  return unapplied.length > 0;
}

const UNCLAIMABLE =
  'its event is older than those that this service remembers, and may have been applied, or more than an ' +
  'hour ahead of the clock; nothing was changed';

/**
 * Applies the event. Throws a refusal when the event is at fault, and the original error when the database is
 * unavailable.
 */
async function applyAgain(tx: Transaction, event: DomainEvent, { apply, log }: Dependencies): Promise<void> {
  try {
    await apply(tx, [event]);
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    log.warn({ err: error, eventId: event.id, type: event.type }, 'dead letter refused again');
    const why = error instanceof Refusal ? error.message : 'the log of this request says why';
    throw notNow(`it still can’t be applied, and nothing was changed: ${why}`);
  }
}

function notNow(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
