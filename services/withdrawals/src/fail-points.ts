import { failPointsOf, situationsOf } from '@plataforma/observe';

/** The steps after which a process may die, each with the work that is done and not done. */
export const failPoint = failPointsOf({
  'withdrawal.stored': 'a withdrawal is written down, the ledger not asked',
  'debit.answered': 'the ledger has answered, nothing is recorded',
  'withdrawals.claimed': 'what is due is leased, nothing is done about it',
  'payout.leaving': 'a payout is recorded as ordered, the order has not left',
  'payout.answered': 'the provider has answered an order, nothing is recorded',
  'payout.inspected': 'the provider has told how a payout stands, nothing is recorded',
  'payout.recorded': 'the provider’s word is recorded',
  'payout.noticed': 'a provider’s notice is noted, the provider not answered',
  'payout.end_ordered': 'the sandbox bank knows how a payout is to end, its withdrawal is not approved yet',
  'withdrawal.approved': 'an operator’s approval is written, not committed',
  'withdrawal.decided': 'an operator’s decision is written and announced, not committed',
  'withdrawal.cancelled': 'a cancellation is committed, its merchant not answered',
  'destination.stored': 'a destination and its kept answer are written, not committed',
});

/** Rare situations that are not visible from outside. */
export const sometimes = situationsOf([
  'lost COMMIT found done',
  'unknown payout found done',
  'unknown payout found not done',
  'refused payout left unconfirmed',
  'late payout order fenced',
  'late payout result fenced',
]);
