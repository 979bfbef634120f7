import { MAX_FILE_BYTES, MAX_FILES, MAX_SANDBOX_FILE_BYTES } from '@plataforma/contracts';
import type { Database, SecretBox, Transaction } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { noSuchDispute, statusWithEvidence } from '../domain/dispute.ts';
import { demandType, type EvidenceFile, safeName } from '../domain/evidence-file.ts';
import { bytesOfTenant, filesOf, insertFile, lockBytes } from '../store/dispute-files.ts';
import { findDispute, lockDispute } from '../store/disputes.ts';

interface AddFile {
  database: Database;
  clock: Clock;
  fileBox: SecretBox | null;
}

interface Sent {
  tenant: Tenant;
  disputeId: string;
  name: string;
  bytes: Buffer;
}

/** Keeps a file of the evidence that a merchant will send. The lock of its dispute decides which one is the sixth. */
export async function addFile(
  { database, clock, fileBox }: AddFile,
  { tenant, disputeId, name, bytes }: Sent,
  keep: Keep<EvidenceFile>,
): Promise<EvidenceFile> {
  if (!(await findDispute(database, tenant, disputeId))) throw noSuchDispute();
  if (!fileBox) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'no files are taken at present');
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Refusal('too_large', 'PAYLOAD_TOO_LARGE', 'file: must be at most 2 MiB');
  }
  const type = demandType(bytes);
  const about = { id: newId(), disputeId, name: safeName(name, type), type, size: bytes.length };
  const sealed = fileBox.seal(bytes, about.id);
  return database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, disputeId);
    if (!dispute) throw noSuchDispute();
    const createdAt = clock();
    statusWithEvidence(dispute, createdAt);
    if ((await filesOf(tx, disputeId)).length >= MAX_FILES) {
      throw limitReached(`a dispute has at most ${MAX_FILES} files: delete one first`);
    }
    if (tenant.environment === 'sandbox') await demandRoom(tx, tenant, bytes.length);
    const file = { ...about, createdAt };
    await insertFile(tx, file, sealed);
    await keep(tx, file);
    return file;
  });
}

/** Its merchant opens disputes there itself: files that come at once, to whichever of them, are counted one by one. */
async function demandRoom(tx: Transaction, tenant: Tenant, size: number): Promise<void> {
  await lockBytes(tx, tenant);
  if ((await bytesOfTenant(tx, tenant)) + size <= MAX_SANDBOX_FILE_BYTES) return;
  const megabytes = MAX_SANDBOX_FILE_BYTES / 1_000_000;
  throw limitReached(
    `your sandbox keeps at most ${megabytes} MB of files: delete some of open disputes first`,
  );
}

function limitReached(message: string): Refusal {
  return new Refusal('unprocessable', 'FILE_LIMIT_REACHED', message);
}
