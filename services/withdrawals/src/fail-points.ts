import { failPointsOf, situationsOf } from '@plataforma/observe';

/**
 * The points at which a test may kill the process. The value describes which work is done and which is not.
 */
export const failPoint = failPointsOf({
  'withdrawal.stored': 'a withdrawal is recorded, the ledger has no request',
  'debit.answered': 'the ledger has answered, nothing is recorded',
  'withdrawals.claimed': 'due withdrawals are leased, their work is not begun',
  'payout.sending': 'a payout is recorded as ordered, the order has not left',
  'payout.answered': 'the provider has answered an order, nothing is recorded',
  'payout.inspected': 'the provider has reported the state of a payout, nothing is recorded',
  'payout.recorded': 'the provider’s report is recorded',
  'payout.noticed': 'a provider’s notice is recorded, the provider has no response',
  'payout.end_ordered': 'the sandbox bank has the ordered end of a payout, its withdrawal is not approved',
  'withdrawal.approved': 'an operator’s approval is written, not committed',
  'withdrawal.decided': 'an operator’s decision is written and announced, not committed',
  'withdrawal.cancelled': 'a cancellation is committed, its merchant has no response',
  'destination.stored': 'a destination and its saved response are written, not committed',
});

/** Rare situations that a test cannot see from outside. */
export const situation = situationsOf([
  'lost COMMIT found done',
  'unknown payout found done',
  'unknown payout found not done',
  'refused payout left unconfirmed',
  'late payout order fenced',
  'late payout result fenced',
]);
