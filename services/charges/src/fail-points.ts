import { failPointsOf, situationsOf } from '@plataforma/observe';

/** The steps of charges at which a crash matters, with the work that is done and not done there. */
export const failPoint = failPointsOf({
  'work.claimed': 'what is due is leased, nothing is done about it',
  'charge.stored': 'a Pix charge is written down, the provider not asked',
  'charge.registered': 'the provider knows a Pix charge, its code is not written down',
  'charge.removed': 'the provider has taken a Pix charge back, it still stands here',
  'charge.inspected': 'the provider has told what it received, nothing is recorded',
  'payment.recorded': 'payments are recorded, whoever told of them is not answered',
  'simulation.claimed': 'a charge is to be paid by simulation, the payer has not paid',
  'simulation.paid': 'the payer of a simulation has paid, nobody was told',
  'payers.asked': 'payers of the sandbox are to pay, none has',
  'payers.paid': 'payers of the sandbox have paid, nothing is recorded',
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
  'evidence.file_sent': 'the provider has a file of the evidence, and not yet what was written',
  'evidence.sent': 'the provider has the merchant’s evidence, that is not noted',
});

/** Rare situations of charges that are not visible from outside. */
export const sometimes = situationsOf([
  'payment confirmed before its charge was answered for',
  'unknown card payment found done',
  'unknown card payment found not done',
  'late card result fenced',
  'unknown refund found done',
  'unknown refund found not done',
  'late refund order fenced',
  'late order of the clock fenced',
  'late refund result fenced',
]);
