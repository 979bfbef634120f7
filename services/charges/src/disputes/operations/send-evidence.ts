import type { Database } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import { type Clock, demandNext, Refusal, type Tenant } from '@plataforma/kernel';
import type { Claimed } from '@plataforma/work';
import { failPoint } from '../../fail-points.ts';
import type { PixProviders } from '../../pix/providers.ts';
import { type Dispute, disputeTransitions, noSuchDispute } from '../domain/dispute.ts';
import { infractionOf } from '../domain/provider-reference.ts';
import {
  type DueForward,
  dueForwards,
  findDispute,
  forwardEvidenceAt,
  lockDispute,
  saveDispute,
} from '../store/disputes.ts';

interface SendEvidence {
  database: Database;
  clock: Clock;
}

interface Sent {
  tenant: Tenant;
  id: string;
  description: string;
  documents: string[];
}

/** Takes the merchant's side of a dispute; the clock hands it on to a provider that wants to know. */
export async function sendEvidence(
  { database, clock }: SendEvidence,
  { tenant, id, description, documents }: Sent,
  keep: Keep<Dispute>,
): Promise<Dispute> {
  if (!(await findDispute(database, tenant, id))) throw noSuchDispute();
  return database.transaction(async (tx) => {
    const before = await lockDispute(tx, id);
    if (!before) throw noSuchDispute();
    const status = demandNext(
      disputeTransitions,
      { noun: 'dispute', status: before.status },
      'send_evidence',
    );
    const sentAt = clock();
    if (sentAt > before.deadline) {
      throw new Refusal('conflict', 'INVALID_STATE', 'the deadline of the dispute has passed');
    }
    const dispute = { ...before, status, evidence: { description, documents, sentAt } };
    await saveDispute(tx, dispute);
    if (infractionOf(before.providerReference)) await forwardEvidenceAt(tx, id, sentAt);
    await keep(tx, dispute);
    return dispute;
  });
}

/** Hands the merchant's side on to the Pix provider; told twice, it knows it once. */
export async function forwardEvidence(
  { database, pix }: { database: Database; pix: PixProviders },
  { item: { id, environment, providerReference, evidence }, lease }: Claimed<DueForward>,
): Promise<void> {
  const infractionId = infractionOf(providerReference);
  if (infractionId && evidence) await pix(environment).sendDefense(infractionId, evidence);
  failPoint('evidence.sent');
  await dueForwards.release(database, { id, token: lease.token, dueAt: null });
}
