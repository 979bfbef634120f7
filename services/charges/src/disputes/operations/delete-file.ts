import type { Database } from '@plataforma/data';
import type { Clock, Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { statusWithEvidence } from '../domain/dispute.ts';
import { noSuchFile } from '../domain/evidence-file.ts';
import { deleteFileRow, getFile } from '../store/dispute-files.ts';
import { lockDispute } from '../store/disputes.ts';

/** Deletes a file of evidence that the merchant has not sent yet. */
export async function deleteFile(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  id: string,
): Promise<void> {
  const file = await getFile(database, tenant, id);
  await database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, file.disputeId);
    statusWithEvidence(dispute, await merchantTime(tx, clock, tenant));
    if (!(await deleteFileRow(tx, id))) throw noSuchFile();
  });
}
