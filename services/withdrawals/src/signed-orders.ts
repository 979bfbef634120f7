import { isDuplicate } from '@plataforma/data';
import type { Call, OrderVerifier } from '@plataforma/http';
import { type Cents, Refusal, type Tenant } from '@plataforma/kernel';
import { type Approval, approvalsOf, TRUSTED_APPROVAL } from './domain/approval.ts';
import type { WithdrawalRequest } from './domain/new-withdrawal.ts';
import { withApprovals } from './domain/replaced-approvals.ts';
import type { Withdrawal } from './domain/withdrawal.ts';

const PATH = '/v1/withdrawals';
/** The gateway signs a request and forwards it at once. */
const MAX_AGE_MS = 5 * 60_000;

type Received = Call<never>['order'];

/**
 * Returns the order of a merchant's request, or null without a token. Throws FORBIDDEN unless the gateway has
 * signed exactly this request of this merchant.
 */
export function readOrder(
  orders: OrderVerifier,
  { token, body }: Received,
  { merchantId, environment }: Tenant,
): WithdrawalRequest['order'] {
  const tenant = { merchantId, environment };
  const order = orders.verify(token, { path: PATH, tenant, body, maxAgeMs: MAX_AGE_MS });
  return order && token ? { id: order.id, token, body } : null;
}

/** Throws FORBIDDEN if the order has created a withdrawal before. Otherwise throws the error of the creation. */
export function refuseReused(
  orders: OrderVerifier,
  order: WithdrawalRequest['order'],
  error: unknown,
): never {
  if (!order || !isDuplicate(error, 'withdrawals_pkey')) throw error;
  throw orders.refuse('reused', { path: PATH, id: order.id });
}

interface Decision {
  id: string;
  operatorId: string;
  step: 'approve' | 'debit';
}

/** Returns the token of an operator's decision. Throws FORBIDDEN unless the gateway has just signed it. */
export function readDecision(
  orders: OrderVerifier,
  { token, body }: Received,
  decision: Decision,
): string | null {
  orders.verify(token, { ...expectedOf(decision), body, maxAgeMs: MAX_AGE_MS });
  return token;
}

const expectedOf = ({ id, operatorId, step }: Decision) => ({
  path: `/v1/admin/withdrawals/${id}/${step}`,
  actor: `operator:${operatorId}`,
});

interface Approvals {
  orderVerifier: OrderVerifier;
  /** An amount above this one needs the approval of two operators. */
  fourEyesThreshold: Cents;
}

/**
 * Returns true if the gateway has signed all approvals of a withdrawal, and a large amount has two. In the
 * sandbox, merchants approve their own withdrawals.
 */
export function hasSignedApprovals(context: Approvals, withdrawal: Withdrawal): boolean {
  const { orderVerifier } = context;
  const { id, environment } = withdrawal;
  if (environment === 'sandbox') return true;
  const approvals = approvalsOf(withdrawal);
  try {
    for (const { approver: operatorId, token } of approvals) {
      if (token === TRUSTED_APPROVAL) continue;
      orderVerifier.verify(token, expectedOf({ id, operatorId, step: 'approve' }));
    }
    if (approvals.length < neededApprovals(context, withdrawal))
      throw orderVerifier.refuse('missing', { ...expectedOf({ id, operatorId: '', step: 'approve' }), id });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Returns the withdrawal with only the approvals that the gateway has signed, and with the number of
 * approvals that are needed now. Returns null if its approvals suffice. Logs nothing.
 */
export function withMissingApprovals(context: Approvals, withdrawal: Withdrawal): Withdrawal | null {
  const { id, environment } = withdrawal;
  if (environment === 'sandbox') return null;
  const isSigned = ({ approver: operatorId, token }: Approval) =>
    token === TRUSTED_APPROVAL ||
    context.orderVerifier.accepts(token, expectedOf({ id, operatorId, step: 'approve' }));
  const approvals = approvalsOf(withdrawal);
  const signed = approvals.filter(isSigned);
  const needed = neededApprovals(context, withdrawal);
  if (signed.length === approvals.length && signed.length >= needed) return null;
  // An approval that is not signed makes a further one necessary.
  const approvalsNeeded = needed === 2 || signed.length > 0 ? 2 : 1;
  return { ...withApprovals(withdrawal, signed), approvalsNeeded };
}

/** The threshold may have been lowered since the withdrawal was created. */
function neededApprovals(
  { fourEyesThreshold }: Approvals,
  { environment, amount, approvalsNeeded }: Withdrawal,
): 0 | 1 | 2 {
  return environment === 'production' && amount > fourEyesThreshold ? 2 : approvalsNeeded;
}
