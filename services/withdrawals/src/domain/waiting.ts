import type { ApprovalReason } from '@plataforma/contracts';
import { approversOf } from './approval.ts';
import { methodOf, type Withdrawal } from './withdrawal.ts';

export interface Wait {
  what: 'approval' | 'cooldown' | 'account' | 'stop' | 'review' | 'provider' | 'transfer';
  since: Date;
  until: Date | null;
  who: 'one_operator' | 'two_operators' | 'second_operator' | 'provider' | 'platform' | null;
  /** The limit of the day that makes the approval necessary. Only set if `what` is `approval`. */
  reason?: ApprovalReason | null;
}

interface Circumstances {
  now: Date;
  isBarred: boolean;
  /** The time since which operators have stopped this payout, or null. */
  stoppedSince: Date | null;
  /** The time since which the ledger's records are unverified. Null also before the first check. */
  unprovenSince: Date | null;
  /** The result of `withMissingApprovals` for an APPROVED withdrawal, or null. */
  unapproved: Withdrawal | null;
}

/**
 * Returns the most important reason why the withdrawal waits. Returns null if nothing delays the withdrawal
 * or it has ended.
 */
export function waitOf(withdrawal: Withdrawal, circumstances: Circumstances): Wait | null {
  const { status, createdAt, startedAt } = withdrawal;
  const { now, isBarred, stoppedSince } = circumstances;
  const isTed = methodOf(withdrawal) === 'TED';
  const account: Wait = { what: 'account', since: createdAt, until: null, who: 'platform' };
  switch (status) {
    case 'PENDING':
      return isBarred ? account : pendingWait(withdrawal, now);
    case 'APPROVED':
      if (stoppedSince) return stopped(stoppedSince);
      return isBarred && isTed ? account : approvedWait(circumstances);
    case 'PROCESSING': {
      if (stoppedSince) return stopped(stoppedSince);
      const since = startedAt ?? createdAt;
      if (isTed) return { what: 'transfer', since, until: null, who: 'one_operator' };
      return { what: 'provider', since, until: null, who: 'provider' };
    }
    default:
      return null;
  }
}

function approvedWait({ now, unprovenSince, unapproved }: Circumstances): Wait | null {
  if (unapproved) return pendingWait(unapproved, now);
  return unprovenSince && { what: 'review', since: unprovenSince, until: null, who: 'platform' };
}

function stopped(since: Date): Wait {
  return { what: 'stop', since, until: null, who: 'platform' };
}

function pendingWait(withdrawal: Withdrawal, now: Date): Wait | null {
  const { approvalsNeeded, createdAt: since, payableFrom } = withdrawal;
  const approvals = approversOf(withdrawal).length;
  if (approvals < approvalsNeeded) {
    const ofTwo = approvals === 0 ? 'two_operators' : 'second_operator';
    const who = approvalsNeeded === 2 ? ofTwo : 'one_operator';
    return { what: 'approval', since, until: null, who, reason: withdrawal.approvalReason };
  }
  return payableFrom && payableFrom > now ? { what: 'cooldown', since, until: payableFrom, who: null } : null;
}
