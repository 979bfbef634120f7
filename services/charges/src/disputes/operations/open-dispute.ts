import type { Database } from '@plataforma/data';
import type { SaveResponse } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { noSuchCharge } from '../../domain/charge-refusals.ts';
import { findAnyCharge } from '../../store/charges.ts';
import type { Dispute, DisputeNotice } from '../domain/dispute.ts';
import { openDispute } from '../store/new-disputes.ts';

export async function openDisputeByOperator(
  { database, clock }: { database: Database; clock: Clock },
  notice: DisputeNotice & { operatorId: string },
  saveResponse: SaveResponse<Dispute>,
): Promise<Dispute> {
  if (!(await findAnyCharge(database, notice.chargeId))) throw noSuchCharge();
  return database.transaction(async (tx) => {
    const dispute = await openDispute(tx, clock, notice);
    await saveResponse(tx, dispute);
    return dispute;
  });
}
