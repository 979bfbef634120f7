import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { SandboxBank } from '@plataforma/service';
import { undoChargebackAt } from '../store/disputes.ts';

interface UndoChargeback {
  database: Database;
  bank: SandboxBank;
}

/** About two hours of attempts: a bank of release 0.6.0 does not know the order, and is replaced by then. */
const LAST_ATTEMPT = 20;

/** Has the sandbox bank undo the chargeback of a dispute that was not lost; a repeated order changes nothing. */
export async function undoChargeback(
  { database, bank }: UndoChargeback,
  { id, chargeId, attempts }: { id: string; chargeId: string; attempts: number },
): Promise<void> {
  const isKnown = await bank.order(`/cards/${chargeId}/undo-chargeback`).then(
    (answer) => answer !== null,
    // Another provider serves the sandbox, or the bank's own record has no such payment.
    (error) => {
      if (error instanceof Refusal && error.kind === 'conflict') return true;
      throw error;
    },
  );
  if (isKnown || attempts >= LAST_ATTEMPT) await undoChargebackAt(database, id, null);
}
