import { failPointsOf, situationsOf } from '@plataforma/observe';

/**
 * The steps of charges at which tests end the process. Each text says which work is done at that step and
 * which is not.
 */
export const failPoint = failPointsOf({
  'work.claimed': 'due work is leased and not begun',
  'charge.stored': 'a Pix charge is recorded, the provider has not received it',
  'charge.registered': 'the provider has a Pix charge, its code is not recorded',
  'charge.removed': 'the provider has removed a Pix charge, its end is not recorded',
  'charge.inspected': 'the provider has reported its payments, nothing is recorded',
  'payment.recorded': 'payments are recorded, the caller has not continued',
  'simulation.claimed': 'a simulated payment is leased, the payer has not paid',
  'simulation.paid': 'the payer of a simulation has paid, nothing is recorded',
  'payers.asked': 'payments by sandbox payers are due, none is made',
  'payers.paid': 'sandbox payers have paid, nothing is recorded',
  'payments.read': 'the provider’s list is processed, its cursor is not moved',
  'infractions.read': 'contested payments are processed, their cursor is not moved',
  'card.stored': 'a card charge is recorded, the acquirer has not received it',
  'card.answered': 'the acquirer has answered an order, nothing is recorded',
  'card.inspected': 'the acquirer has reported the outcome of an order, nothing is recorded',
  'void.stored': 'a card payment is to be voided, the acquirer has no order',
  'void.answered': 'the acquirer has answered a void, nothing is recorded',
  'late_card.found': 'the acquirer has a payment of an ended attempt, its void is not ordered',
  'late_card.answered': 'the acquirer has answered the void of a late payment, nothing is recorded',
  'chargeback.read': 'the acquirer has reported a chargeback, no dispute is opened',
  'refund.stored': 'a refund is recorded, the ledger has no request',
  'refund.debited': 'the ledger has debited a refund, the debit is not recorded here',
  'refund.sending': 'a refund is recorded as ordered, the provider has no order',
  'refund.answered': 'the provider has answered a refund, nothing is recorded',
  'return.answered': 'the provider has answered the return of an unmatched payment, nothing is recorded',
  'evidence.file_sent': 'the provider has a file of the evidence, its text is not sent',
  'evidence.sent': 'the provider has the merchant’s evidence, nothing is recorded',
});

/**
 * Rare situations of charges that only the service itself can detect. Tests check that each situation occurs
 * sometimes.
 */
export const situation = situationsOf([
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
