import type { Database } from '@plataforma/data';
import type { SaveResponse } from '@plataforma/http';
import { type Clock, type Tenant, withNextSequence } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import { type Claimed, LeaseOver } from '@plataforma/work';
import { failPoint } from '../../fail-points.ts';
import type { PixProviders } from '../../pix/pix-client.ts';
import { lockCharge } from '../../store/charges.ts';
import { type Dispute, statusWithEvidence } from '../domain/dispute.ts';
import { disputeUpdateOf } from '../domain/dispute-announcement.ts';
import { infractionOf } from '../domain/provider-reference.ts';
import { FileNotOpened, filesOf, type OpenFile, openFile } from '../store/dispute-files.ts';
import {
  type DueForward,
  dueForwards,
  forwardEvidenceAt,
  getDispute,
  lockDispute,
  saveDispute,
} from '../store/disputes.ts';

interface Sent {
  tenant: Tenant;
  id: string;
  description: string;
  documents: string[];
}

/** Records the merchant's evidence. The scheduler sends the evidence if the provider accepts evidence. */
export async function sendEvidence(
  { database, clock }: { database: Database; clock: Clock },
  { tenant, id, description, documents }: Sent,
  saveResponse: SaveResponse<Dispute>,
): Promise<Dispute> {
  const { chargeId } = await getDispute(database, tenant, id);
  return database.transaction(async (tx) => {
    // Every transaction locks the charge before the dispute, so that two transactions cannot deadlock.
    const charge = await lockCharge(tx, chargeId);
    const before = await lockDispute(tx, id);
    const sentAt = await merchantTime(tx, clock, tenant);
    const status = statusWithEvidence(before, sentAt);
    const evidence = { description, documents, sentAt };
    const dispute = withNextSequence({ ...before, status, evidence });
    await saveDispute(tx, dispute);
    await announce(tx, disputeUpdateOf(dispute, charge));
    if (infractionOf(before.providerReference)) await forwardEvidenceAt(tx, id, clock());
    await saveResponse(tx, dispute);
    return dispute;
  });
}

interface ForwardEvidence extends OpenFile {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  leaseMs: number;
}

/**
 * In this last period before the deadline, a defense is sent without the files that no key decrypts. Earlier,
 * the defense waits, because operators may restore the key.
 */
const LAST_DAY_MS = 24 * 60 * 60_000;

/**
 * Sends the merchant's defense to the Pix provider: each file, then the text. After a crash, everything is
 * sent again; the provider stores a repeated part only once. A refused file does not stop the defense.
 */
export async function forwardEvidence(
  dependencies: ForwardEvidence,
  { item: dispute, lease: { token } }: Claimed<DueForward>,
): Promise<void> {
  const { database, pix, clock, leaseMs } = dependencies;
  const { id, evidence } = dispute;
  const infractionId = infractionOf(dispute.providerReference);
  const extend = async () => {
    if (!(await dueForwards.extend(database, { id, token, now: clock(), leaseMs }))) throw new LeaseOver();
  };
  if (infractionId && evidence) {
    const provider = pix(dispute);
    const fileIds: string[] = [];
    for (const file of await filesOf(database, id)) {
      await extend();
      const content = await contentOf(dependencies, dispute, file.id);
      if (content && (await provider.sendDefenseFile(infractionId, { ...file, content })))
        fileIds.push(file.id);
      failPoint('evidence.file_sent');
    }
    await extend();
    await provider.sendDefense(infractionId, { ...evidence, fileIds });
  }
  failPoint('evidence.sent');
  await dueForwards.release(database, { id, token, dueAt: null });
}

/**
 * Returns a file's content. Returns null when no key decrypts the file and the deadline is too near to wait
 * for a key.
 */
async function contentOf(
  dependencies: ForwardEvidence,
  { id: disputeId, deadline, ...tenant }: DueForward,
  fileId: string,
): Promise<Buffer | null> {
  try {
    return await openFile(dependencies, fileId);
  } catch (error) {
    const now = await merchantTime(dependencies.database, dependencies.clock, tenant);
    const isLastDay = deadline.getTime() - now.getTime() < LAST_DAY_MS;
    if (!(error instanceof FileNotOpened && isLastDay)) throw error;
    dependencies.log.error(
      { err: error, disputeId, fileId },
      'defense sent without a file that no key decrypts',
    );
    return null;
  }
}
