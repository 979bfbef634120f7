import { z } from 'zod';
import { timestamp } from '../days.ts';
import { oneOf } from '../fields.ts';

const waitingCauses = ['stop'] as const;

export const waitingFor = z.object({
  what: oneOf(waitingCauses).meta({
    description:
      'stop: the platform has paused such orders. Processing resumes automatically, and nothing has to be ' +
      'sent again.',
  }),
  since: timestamp,
});

export type WaitingFor = z.infer<typeof waitingFor>;

/**
 * The reasons for which a withdrawal may wait. The daily limit is absent, because a withdrawal above the
 * limit is refused.
 */
const withdrawalCauses = [
  'approval',
  'cooldown',
  'account',
  'stop',
  'review',
  'provider',
  'transfer',
] as const;

const whoActs = ['one_operator', 'two_operators', 'second_operator', 'provider', 'platform'] as const;

const approvalReasons = ['auto_approve_limit', 'new_payees_per_day'] as const;

export type ApprovalReason = (typeof approvalReasons)[number];

export const withdrawalWait = z
  .object({
    what: oneOf(withdrawalCauses).meta({
      description:
        'approval: an operator of the platform reviews the withdrawal before payment. cooldown: its ' +
        'destination is new, and is paid from `until` on. account: the account is suspended or rejected; ' +
        'the withdrawal continues afterwards, and can be cancelled while PENDING. stop: the platform has ' +
        'paused payouts. review: the platform compares the account’s books with its records before ' +
        'payment. provider: the payment was sent, and the bank has not reported the outcome. transfer: ' +
        'the platform’s staff sends the payment to the bank account. No case requires another request.',
    }),
    since: timestamp,
    until: timestamp.nullable().meta({
      description: 'Time at which the wait ends automatically. Null means that this time is unknown.',
    }),
    who: oneOf(whoActs)
      .nullable()
      .meta({
        description:
          'Operators who must act. two_operators: two different operators must approve. second_operator: ' +
          'one operator has approved, and another one must approve. Null means that no action is needed ' +
          'and only time passes.',
      }),
    reason: oneOf(approvalReasons)
      .nullable()
      .meta({
        description:
          'Limit of the day that makes an approval necessary. auto_approve_limit: this withdrawal and the ' +
          'others of its day without an approval exceed `autoApproveLimit` together. new_payees_per_day: ' +
          'the day’s withdrawals have used up `newPayeesPerDay`, and this one has a new payee. Null for ' +
          'any other wait, and if the amount alone or the payment to a bank account needs the approval.',
      }),
  })
  .meta({ id: 'WithdrawalWait' });

export type WithdrawalWait = z.infer<typeof withdrawalWait>;
