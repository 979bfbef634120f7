import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { SandboxBank } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { readCharge } from '../../store/charges.ts';
import type { Dispute } from '../domain/dispute.ts';
import { disputeReasonOf } from '../domain/dispute-reason.ts';
import { endAtBankAt, findAnyDispute, requireDisputeSeal } from '../store/disputes.ts';

/**
 * Orders to the bank stop after this attempt, about two hours after the first. The attempts bridge an
 * upgrade, because the bank's replicas of release 0.6.0 do not know these orders.
 */
const LAST_ATTEMPT = 20;

/** Orders the sandbox bank to move the money of an ended dispute. A repeated order moves no money again. */
export async function endAtBank(
  { database, bank, log }: { database: Database; bank: SandboxBank; log: Log },
  { id, attempts }: { id: string; attempts: number },
): Promise<void> {
  const dispute = await findAnyDispute(database, id);
  if (dispute) requireDisputeSeal(database, dispute);
  const isConfirmed = !dispute || (await order(bank, await readCharge(database, dispute.chargeId), dispute));
  if (!isConfirmed && attempts < LAST_ATTEMPT) return;
  if (!isConfirmed)
    log.warn({ disputeId: id, attempts }, 'the bank never moved the money of an ended dispute');
  await endAtBankAt(database, id, null);
}

async function order(bank: SandboxBank, charge: Charge, { id, amount, reason: networkReason }: Dispute) {
  const { card, txid, endToEndId } = charge;
  const reason = disputeReasonOf(networkReason) === 'OPERATIONAL' ? 'OPERATIONAL_FLAW' : 'FRAUD';
  const taken = { orderId: id, amount, reason, ...(endToEndId && { endToEndId }) };
  const ordered = card
    ? bank.order(`/cards/${charge.id}/undo-chargeback`)
    : bank.order(`/pix/${txid}/take-back`, taken);
  return ordered.then(
    (answer) => answer !== null,
    // The bank answers with a conflict if it has no such payment, for example because another provider serves
    // the sandbox.
    (error) => {
      if (error instanceof Refusal && error.kind === 'conflict') return true;
      throw error;
    },
  );
}
