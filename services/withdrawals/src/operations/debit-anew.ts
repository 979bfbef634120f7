import { BARRED_REST_MS } from '../domain/merchant.ts';
import { notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import { debitOf } from '../steps/settle-creation.ts';
import {
  debitIn,
  demandUndebited,
  invalid,
  lockNotOrdered,
  recordDecision,
  type SettleUndebited,
  type Undebited,
} from '../steps/undebited.ts';
import { lookAtApproved, settleMissingDebit } from '../store/missing-debits.ts';
import { lockWithdrawal } from '../store/withdrawals.ts';

/**
 * The ledger takes the money of a held payout once more, as after it was restored. The id stays: the ledger takes it once,
 * and the provider pays it once, also what was ordered before the restore.
 */
export async function debitAnew(parts: SettleUndebited, decision: Undebited): Promise<Withdrawal> {
  const { database, ledger, clock } = parts;
  const withdrawal = await demandUndebited(parts, decision.id);
  // A ledger of the release before remembers a refusal for ever, also of what is debited again.
  if ((await ledger.withdrawable(withdrawal)) < withdrawal.netAmount + withdrawal.fee) throw notCovered();
  await database.transaction(async (tx) => {
    const now = clock();
    const locked = await lockNotOrdered(tx, decision.id, now);
    await recordDecision(tx, locked, {
      ...decision,
      action: 'withdrawal.debit',
      after: { isDebitAsked: true },
    });
    // The clock's comparison without the debit would raise the alarm anew.
    await lookAtApproved(tx, decision.id, new Date(now.getTime() + BARRED_REST_MS));
  });
  if (!(await ledger.debitWithdrawalAgain(debitOf(withdrawal)))) throw notCovered();
  if (!(await debitIn(parts, withdrawal)))
    throw invalid('the books have given its money back: fail it instead');
  return database.transaction(async (tx) => {
    // In the order in which a comparison locks both.
    await lockWithdrawal(tx, decision.id);
    const [now, { id, operatorId: settledBy, note }] = [clock(), decision];
    await settleMissingDebit(tx, id, { settledAt: now, settledBy, note });
    await lookAtApproved(tx, id, now);
    return lockWithdrawal(tx, decision.id);
  });
}
