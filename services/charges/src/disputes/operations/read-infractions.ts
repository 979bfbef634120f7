import { type Environment, Refusal } from '@plataforma/kernel';
import type { Claimed } from '@plataforma/work';
import { failPoint } from '../../fail-points.ts';
import type { Infraction } from '../../pix/pix-client.ts';
import { type ReadList, readList } from '../../steps/read-list.ts';
import { findChargeByEndToEnd } from '../../store/charge-lookups.ts';
import type { ProviderCursor } from '../../store/provider-cursors.ts';
import { infractionReference } from '../domain/provider-reference.ts';
import { openDispute } from '../steps/open-dispute.ts';

/** Providers may list an infraction a little after it was reported. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Reads which payments their payers' banks have contested (MED), and opens a dispute for each, once. One that waits for
 * the end of a refund or of another dispute is read again, and holds up no other.
 */
export function readInfractions(parts: ReadList, claimed: Claimed<ProviderCursor>): Promise<void> {
  const { pix, readListsEveryMs } = parts;
  const { environment } = claimed.item;
  return readList(parts, claimed, {
    everyMs: readListsEveryMs,
    overlapMs: OVERLAP_MS,
    pages: (period) => pix({ environment }).listInfractions(period),
    takeUp: (page) => takeUpOpen(parts, environment, page),
    whenRead: () => failPoint('infractions.read'),
  });
}

async function takeUpOpen(
  parts: ReadList,
  environment: Environment,
  page: readonly Infraction[],
): Promise<boolean> {
  let hasAll = true;
  for (const infraction of page.filter(({ isOpen }) => isOpen)) {
    const isSettled = await takeUp(parts, environment, infraction).catch((err) => {
      parts.log.error({ err, environment, infractionId: infraction.id }, 'an infraction can’t be taken up');
      return false;
    });
    hasAll &&= isSettled;
  }
  return hasAll;
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
