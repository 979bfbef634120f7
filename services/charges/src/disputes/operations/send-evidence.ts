import type { Database } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import type { Clock, Tenant } from '@plataforma/kernel';
import type { Claimed } from '@plataforma/work';
import { failPoint } from '../../fail-points.ts';
import type { PixProviders } from '../../pix/providers.ts';
import { type Dispute, noSuchDispute, statusWithEvidence } from '../domain/dispute.ts';
import { infractionOf } from '../domain/provider-reference.ts';
import { type OpenFile, openFile } from '../steps/open-file.ts';
import { filesOf } from '../store/dispute-files.ts';
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
    const sentAt = clock();
    const status = statusWithEvidence(before, sentAt);
    const dispute = { ...before, status, evidence: { description, documents, sentAt } };
    await saveDispute(tx, dispute);
    if (infractionOf(before.providerReference)) await forwardEvidenceAt(tx, id, sentAt);
    await keep(tx, dispute);
    return dispute;
  });
}

interface ForwardEvidence extends OpenFile {
  database: Database;
  pix: PixProviders;
}

/**
 * Hands the merchant's side on to the Pix provider, file by file and then what was written: told twice, it knows each
 * once. After a crash all are sent again.
 */
export async function forwardEvidence(
  parts: ForwardEvidence,
  { item: { id, environment, providerReference, evidence }, lease }: Claimed<DueForward>,
): Promise<void> {
  const { database, pix } = parts;
  const infractionId = infractionOf(providerReference);
  if (infractionId && evidence) {
    const provider = pix(environment);
    const fileIds: string[] = [];
    for (const file of await filesOf(database, id)) {
      const content = await openFile(parts, file.id);
      if (await provider.sendDefenseFile(infractionId, { ...file, content })) fileIds.push(file.id);
      failPoint('evidence.file_sent');
    }
    await provider.sendDefense(infractionId, { ...evidence, fileIds });
  }
  failPoint('evidence.sent');
  await dueForwards.release(database, { id, token: lease.token, dueAt: null });
}
