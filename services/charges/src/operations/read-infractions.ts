import { failPoint } from '@plataforma/chassis';
import type { Environment } from '@plataforma/kernel';
import { Refusal } from '@plataforma/kernel';
import { infractionReference } from '../domain/provider-reference.ts';
import type { Infraction } from '../pix/pix-client.ts';
import { findChargeByEndToEnd } from '../store/charges.ts';
import { advanceCursor, claimCursor } from '../store/provider-cursors.ts';
import { openDispute } from './open-dispute.ts';
import type { ReadList } from './read-payments.ts';

/** Providers may list an infraction a little after it was reported. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Reads which payments their payers' banks have contested (MED), and opens a dispute for each, once. The cursor moves on
 * only when none of them waits for the end of a refund or of another dispute; one that can't be taken up holds up no other.
 */
export async function readInfractions(parts: ReadList, environment: Environment): Promise<void> {
  const { database, pix, log, everyMs } = parts;
  const cursor = { environment, list: 'infractions' } as const;
  const provider = pix(environment);
  const turn = await claimCursor(database, cursor, everyMs);
  if (!turn) return;
  const { readUntil, now } = turn;
  const from = new Date(readUntil.getTime() - OVERLAP_MS);
  let hasAll = true;
  for await (const page of provider.listInfractions({ from, to: now })) {
    for (const infraction of page.filter(({ isOpen }) => isOpen)) {
      const isSettled = await takeUp(parts, environment, infraction).catch((error) => {
        log.error(
          { err: error, environment, infractionId: infraction.id },
          'an infraction can’t be taken up',
        );
        return false;
      });
      hasAll &&= isSettled;
    }
  }
  failPoint('infractions.read');
  if (hasAll) await advanceCursor(database, cursor, now);
}

/** False: there is nothing to be done about it now, and it must be looked at again. */
async function takeUp(parts: ReadList, environment: Environment, infraction: Infraction): Promise<boolean> {
  const { database, clock, log } = parts;
  const { id, endToEndId, amount, reason, description, deadline } = infraction;
  const charge = await findChargeByEndToEnd(database, environment, endToEndId);
  // Money that paid no charge is on its way back already, or came to this account for another reason.
  if (!charge) {
    log.warn({ environment, infractionId: id }, 'a payment that paid no charge of ours is contested');
    return true;
  }
  const providerReference = infractionReference(environment, id);
  const notice = { chargeId: charge.id, amount, reason, description, deadline, providerReference };
  try {
    await openDispute({ database, clock }, { ...notice, operatorId: null });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.warn(
      { chargeId: charge.id, infractionId: id, reason: error.message },
      'a contested payment opens no dispute now',
    );
    return error.code !== 'REQUEST_IN_PROGRESS';
  }
}
