/**
 * The steps after which the death of a process matters, by the service that takes them, and what is done and not done
 * there. `common` ones are in the packages that every service is built from. Each stands at one place in the code.
 */
export const failPoints = {
  common: {
    'commit.due': 'a transaction has run all its statements, COMMIT is not sent',
    'commit.done': 'a transaction is committed, whoever asked for it does not know',
    'answer.due': 'what was asked is done, the answer is not sent',
    'keyed_answer.due': 'what was asked with a key is done and its answer kept, the answer is not sent',
    'outbox.published': 'the broker has confirmed events, they are not marked',
    'inbox.committed': 'events are applied and committed, not acknowledged',
    'event.given_up': 'an event can’t be applied, the broker is not told to set it aside',
    'letter.kept': 'a dead letter is in the database, not acknowledged',
  },
  gateway: {
    'merchant.stored': 'a merchant is written and announced, not committed',
    'key.minted': 'an API key is written, not committed',
    'standing.changed': 'a merchant’s standing is written and announced, not committed',
    'request.forwarded': 'a service has answered a request, the caller has not been',
  },
  charges: {
    'work.claimed': 'what is due is leased, nothing is done about it',
    'charge.stored': 'a Pix charge is written down, the provider not asked',
    'charge.registered': 'the provider knows a Pix charge, its code is not written down',
    'charge.removed': 'the provider has taken a Pix charge back, it still stands here',
    'charge.inspected': 'the provider has told what it received, nothing is recorded',
    'payment.recorded': 'payments are recorded, whoever told of them is not answered',
    'simulation.claimed': 'a charge is to be paid by simulation, the payer has not paid',
    'simulation.paid': 'the payer of a simulation has paid, nobody was told',
    'payments.read': 'the provider’s list is taken up, its cursor not moved on',
    'infractions.read': 'contested payments are taken up, their cursor not moved on',
    'card.stored': 'a card charge is written down, the acquirer not asked',
    'card.answered': 'the acquirer has answered an order, nothing is recorded',
    'card.inspected': 'the acquirer has told what became of an order, nothing is recorded',
    'void.stored': 'a card payment is to be given back, the acquirer not asked',
    'void.answered': 'the acquirer has answered about giving back, nothing is recorded',
    'late_card.found':
      'the acquirer has a payment for an attempt that has ended, it is not asked to give it back',
    'late_card.answered': 'the acquirer has answered about giving a late payment back, nothing is recorded',
    'chargeback.read': 'the acquirer has told of a chargeback, no dispute is opened',
    'refund.stored': 'a refund is written down, the ledger not asked',
    'refund.debited': 'the ledger has taken a refund’s money, it is not recorded here',
    'refund.leaving': 'a refund is written down as ordered, the provider not asked',
    'refund.answered': 'the provider has answered about a refund, nothing is recorded',
    'return.answered': 'the provider has answered about unexpected money, nothing is recorded',
    'evidence.sent': 'the provider has the merchant’s evidence, that is not noted',
  },
  withdrawals: {
    'withdrawal.stored': 'a withdrawal is written down, the ledger not asked',
    'debit.answered': 'the ledger has answered, nothing is recorded',
    'withdrawals.claimed': 'what is due is leased, nothing is done about it',
    'payout.stored': 'a payout is written down as ordered, the order has not left',
    'payout.answered': 'the provider has answered an order, nothing is recorded',
    'payout.inspected': 'the provider has told how a payout stands, nothing is recorded',
    'payout.recorded': 'the provider’s word is recorded',
    'payout.noticed': 'a provider’s notice is noted, the provider not answered',
    'withdrawal.approved': 'an operator’s approval is written, not committed',
    'withdrawal.decided': 'an operator’s decision is written and announced, not committed',
    'destination.stored': 'a destination and its kept answer are written, not committed',
  },
  ledger: {
    'facts.posted': 'entries, rows and wallets are written, not committed',
    'debit.taken': 'a debit is committed, whoever asked is not answered',
    'wallet.changed': 'an operator’s change and its kept answer are written, not committed',
    'receivables.claimed': 'due receivables are leased, not settled',
    'receivables.settled': 'due receivables are settled together',
    'books.checked': 'a part of the books is looked at, that is not noted',
  },
  webhooks: {
    'delivery.leased': 'a delivery is leased, its endpoint not called',
    'delivery.answered': 'an endpoint has answered, or failed to, the result is not recorded',
    'results.recorded': 'results of deliveries are committed',
    'secret.rotated': 'a new signing secret is written, not committed',
  },
} as const;

type Groups = typeof failPoints;

export type FailPoint = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** Rare situations that nobody can see from outside, so that a test can tell whether they have really come about. */
export const situations = [
  'pool exhausted',
  'batch split by poison',
  'duplicate event absorbed',
  'event kept that no queue took',
  'dead letter replayed',
  'request in progress refused',
  'request overtaken by the same one',
  'lost COMMIT found done',
  'payment confirmed before its charge was answered for',
  'unknown card payment found done',
  'unknown card payment found not done',
  'late card result fenced',
  'unknown refund found done',
  'unknown refund found not done',
  'late refund order fenced',
  'late order of the clock fenced',
  'late refund result fenced',
  'unknown payout found done',
  'unknown payout found not done',
  'refused payout put in doubt',
  'late payout order fenced',
  'late payout result fenced',
  'late delivery result fenced',
] as const;

export type Situation = (typeof situations)[number];
