import type { Environment } from '@plataforma/kernel';
import { Refusal } from '@plataforma/kernel';
import { infractionReference } from '../domain/provider-reference.ts';
import type { Infraction } from '../pix/pix-client.ts';
import { findChargeByEndToEnd } from '../store/charges.ts';
import { advanceCursor, claimCursor } from '../store/provider-cursors.ts';
import { openDispute } from './open-dispute.ts';
import type { ReadList } from './read-payments.ts';

/** A notice for a charge that is being refunded waits for the refund's end: the list is read that far back. */
const OVERLAP_MS = 24 * 3_600_000;

/** Reads which payments their payers' banks have contested (MED), and opens a dispute for each, once. */
export async function readInfractions(parts: ReadList, environment: Environment): Promise<void> {
  const { database, pix, clock, everyMs } = parts;
  const cursor = { environment, list: 'infractions' } as const;
  const provider = pix(environment);
  const now = clock();
  const readUntil = await claimCursor(database, cursor, { now, everyMs });
  if (!readUntil) return;
  const from = new Date(readUntil.getTime() - OVERLAP_MS);
  for await (const page of provider.listInfractions({ from, to: now })) {
    for (const infraction of page) if (infraction.isOpen) await takeUp(parts, environment, infraction);
  }
  await advanceCursor(database, cursor, now);
}

async function takeUp(parts: ReadList, environment: Environment, infraction: Infraction): Promise<void> {
  const { database, clock, log } = parts;
  const { id, endToEndId, amount, reason, description, deadline } = infraction;
  const charge = await findChargeByEndToEnd(database, environment, endToEndId);
  // Money that paid no charge is on its way back already, or came to this account for another reason.
  if (!charge) return log.warn({ environment }, 'a payment that paid no charge of ours is contested');
  const providerReference = infractionReference(id);
  const notice = { chargeId: charge.id, amount, reason, description, deadline, providerReference };
  try {
    await openDispute({ database, clock }, { ...notice, operatorId: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.warn({ chargeId: charge.id, reason: error.message }, 'a contested payment opens no dispute now');
  }
}
