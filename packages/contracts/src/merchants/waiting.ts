import { z } from 'zod';
import { oneOf, timestamp } from '../fields.ts';

/** The causes for which a merchant's request may wait. */
const waitingCauses = ['stop'] as const;

export const waitingFor = z.object({
  what: oneOf(waitingCauses).meta({
    description:
      'stop: we hold such orders up for now. It goes on by itself, and nothing has to be sent again.',
  }),
  since: timestamp,
});

/** Null: nothing holds it up. */
export type WaitingFor = z.infer<typeof waitingFor>;

/** The causes for which a withdrawal may wait. One above the daily limit is refused, and does not wait. */
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

export const withdrawalWait = z
  .object({
    what: oneOf(withdrawalCauses).meta({
      description:
        'approval: our operators look at it before it is paid. cooldown: its destination is new, and is paid from `until` on. ' +
        'account: the account is suspended or rejected; it goes on when that ends, and can be cancelled while PENDING. ' +
        'stop: we hold payouts up for now. review: we compare the account’s books with our records before it is paid. provider: it was sent, and the bank has not said yet how it ended. transfer: our ' +
        'people send it to the bank account. Nothing has to be sent again for any of these.',
    }),
    since: timestamp,
    until: timestamp.nullable().meta({ description: 'When that ends by itself; null: not known before.' }),
    who: oneOf(whoActs)
      .nullable()
      .meta({
        description:
          'Who has to act. two_operators: two different ones must approve it. second_operator: one has approved it, and ' +
          'another one must. Null: nobody, only time passes.',
      }),
  })
  .meta({ id: 'WithdrawalWait' });

export type WithdrawalWait = z.infer<typeof withdrawalWait>;
