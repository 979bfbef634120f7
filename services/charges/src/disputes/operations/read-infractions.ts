import type { Database } from '@plataforma/data';
import { type Clock, type Environment, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Claimed } from '@plataforma/work';
import { failPoint } from '../../fail-points.ts';
import type { Infraction, PixProviders } from '../../pix/pix-client.ts';
import { findChargeByEndToEnd } from '../../store/charge-lookups.ts';
import { requireSeal } from '../../store/charge-rows.ts';
import { type ProviderCursor, readList } from '../../store/provider-cursors.ts';
import { infractionReference } from '../domain/provider-reference.ts';
import { findOldestUndecided } from '../store/disputes.ts';
import { openDispute } from '../store/new-disputes.ts';

/**
 * A reading begins this long before the cursor, because a provider may list an infraction some time after its
 * report.
 */
const OVERLAP_MS = 24 * 3_600_000;
/**
 * A reading goes back at most this far to reach the oldest undecided dispute. Older disputes are decided,
 * because a bank decides within 80 days of the Pix.
 */
const LONGEST_MS = 90 * 24 * 3_600_000;

interface ReadInfractions {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  leaseMs: number;
  readListsEveryMs: number;
  /** The interval between two readings that begin at the oldest undecided dispute. */
  rereadInfractionsEveryMs: number;
}

/**
 * Reads the provider's list of contested payments (MED) and opens a dispute for each. An infraction is read
 * again later if its charge is being refunded or disputed. About once an hour, the reading begins at the
 * oldest undecided dispute, which the bank may have changed.
 */
export async function readInfractions(
  dependencies: ReadInfractions,
  claimed: Claimed<ProviderCursor>,
): Promise<void> {
  const { pix, readListsEveryMs } = dependencies;
  const { environment } = claimed.item;
  return readList(dependencies, claimed, {
    everyMs: readListsEveryMs,
    overlapMs: OVERLAP_MS + (await undecidedMs(dependencies, claimed.item)),
    pages: (period) => pix({ environment }).listInfractions(period),
    record: (page) => openDisputes(dependencies, environment, page),
    whenRead: () => failPoint('infractions.read'),
  });
}

/**
 * Returns the milliseconds from the start of the oldest undecided dispute to the cursor, so that the reading
 * begins at this dispute. Returns 0 if the reading begins at the cursor.
 */
async function undecidedMs(
  { database, readListsEveryMs, rereadInfractionsEveryMs: everyMs }: ReadInfractions,
  { environment, readUntil, claimedAt }: ProviderCursor,
): Promise<number> {
  // An infraction that must wait stops the cursor. In this case, assume that the last reading was two
  // intervals ago. Otherwise every reading would begin at the oldest dispute.
  const before = Math.max(readUntil.getTime(), claimedAt.getTime() - 2 * readListsEveryMs);
  if (Math.floor(before / everyMs) === Math.floor(claimedAt.getTime() / everyMs)) return 0;
  const oldest = await findOldestUndecided(database, environment);
  return oldest ? Math.min(Math.max(readUntil.getTime() - oldest.getTime(), 0), LONGEST_MS) : 0;
}

async function openDisputes(
  dependencies: ReadInfractions,
  environment: Environment,
  page: readonly Infraction[],
): Promise<boolean> {
  let isComplete = true;
  for (const infraction of page.filter(({ isOpen }) => isOpen)) {
    const isDone = await openOne(dependencies, environment, infraction).catch((err) => {
      dependencies.log.error({ err, environment, infractionId: infraction.id }, 'infraction not recorded');
      return false;
    });
    isComplete &&= isDone;
  }
  return isComplete;
}

/** Returns false when the infraction must wait and be read again. Throws if the charge has no valid seal. */
async function openOne(
  { database, clock, log }: ReadInfractions,
  environment: Environment,
  infraction: Infraction,
): Promise<boolean> {
  const { id, endToEndId, amount, reason, description, deadline } = infraction;
  const charge = await findChargeByEndToEnd(database, environment, endToEndId);
  // No charge belongs to the contested payment. The platform is already returning such a payment, or the
  // payment has nothing to do with the platform.
  if (!charge) {
    log.warn({ environment, infractionId: id }, 'unmatched payment contested');
    return true;
  }
  requireSeal(database, charge);
  if (charge.endToEndId !== endToEndId) throw paidByAnother();
  const providerReference = infractionReference(environment, id);
  const notice = { chargeId: charge.id, amount, reason, description, deadline, providerReference };
  try {
    await database.transaction((tx) => openDispute(tx, clock, notice));
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

/** The record of the payment was changed in the database: it names a charge that a different Pix paid. */
function paidByAnother(): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', 'a different payment paid the charge');
}
