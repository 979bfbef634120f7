import type { DomainEvent } from '@plataforma/events';
import type { Fact } from './domain/posting.ts';

/** What an event means for the books; none for the events that move no money. */
export function factsOf(event: DomainEvent): Fact[] {
  if (event.type !== 'charge.paid') return [];
  const { id, paymentMethod, amount, feeAmount, netAmount, externalId, paidAt } = event.data;
  if (netAmount !== amount - feeAmount) throw new Error('the amounts of a charge.paid contradict each other');
  return [
    {
      kind: 'charge_paid',
      reference: id,
      merchantId: event.merchantId,
      environment: event.environment,
      occurredAt: paidAt,
      method: paymentMethod,
      amount,
      fee: feeAmount,
      externalId,
    },
  ];
}
