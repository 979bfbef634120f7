import { MAX_FILE_BYTES, MAX_FILES } from '@plataforma/contracts';
import type { Database, SecretBox, Transaction } from '@plataforma/data';
import type { SaveResponse } from '@plataforma/http';
import { type Clock, environments, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { metrics } from '../../metrics.ts';
import { statusWithEvidence } from '../domain/dispute.ts';
import { type EvidenceFile, requireType, safeName } from '../domain/evidence-file.ts';
import { type FileQuotas, noRoom, roomFor } from '../domain/file-quota.ts';
import { bytesOfTenant, filesOf, insertFile, lockBytes } from '../store/dispute-files.ts';
import { getDispute, lockDispute } from '../store/disputes.ts';

interface AddFile {
  database: Database;
  clock: Clock;
  fileBox: SecretBox | null;
  fileQuotas: FileQuotas;
  log: Log;
}

const outcomes = ['kept', 'refused'] as const;
const atQuota = metrics.recorder(
  'plataforma_files_at_quota_total',
  environments.flatMap((environment) => outcomes.map((outcome) => ({ environment, outcome }))),
);

/**
 * Stores an evidence file before the merchant sends the evidence. The row lock of the dispute makes
 * simultaneous requests respect the limit of five files.
 */
export async function addFile(
  dependencies: AddFile,
  { tenant, disputeId, name, bytes }: { tenant: Tenant; disputeId: string; name: string; bytes: Buffer },
  saveResponse: SaveResponse<EvidenceFile>,
): Promise<EvidenceFile> {
  const { database, clock, fileBox } = dependencies;
  await getDispute(database, tenant, disputeId);
  if (!fileBox) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'files are not accepted at present');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Refusal('too_large', 'PAYLOAD_TOO_LARGE', 'file: must be at most 2 MiB');
  }
  const type = requireType(bytes);
  const about = { id: newId(), disputeId, name: safeName(name, type), type, size: bytes.length };
  const sealed = fileBox.seal(bytes, about.id);
  return database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, disputeId);
    const createdAt = await merchantTime(tx, clock, tenant);
    statusWithEvidence(dispute, createdAt);
    if ((await filesOf(tx, disputeId)).length >= MAX_FILES) {
      const message = `a dispute has at most ${MAX_FILES} files: delete one first`;
      throw new Refusal('unprocessable', 'FILE_LIMIT_REACHED', message);
    }
    await requireRoom(tx, dependencies, { tenant, size: bytes.length });
    const file = { ...about, createdAt };
    await insertFile(tx, file, sealed);
    await saveResponse(tx, file);
    return file;
  });
}

/**
 * Requires room in the merchant's quota. The lock of the quota makes simultaneous requests wait for each
 * other, even if they add files to different disputes.
 */
async function requireRoom(
  tx: Transaction,
  { fileQuotas, log }: AddFile,
  { tenant, size }: { tenant: Tenant; size: number },
): Promise<void> {
  await lockBytes(tx, tenant);
  const { merchantId, environment } = tenant;
  const quota = fileQuotas[environment];
  const used = await bytesOfTenant(tx, tenant);
  const room = roomFor({ quota, used, size });
  if (room === 'ample') return;
  const outcome = room === 'none' ? 'refused' : 'kept';
  atQuota({ environment, outcome }, 1);
  log.warn({ merchantId, environment, used, quota, outcome }, 'merchant’s file space almost used');
  if (room === 'none') throw noRoom(environment, quota);
}
