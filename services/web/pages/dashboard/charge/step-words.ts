import { catalogue } from '../../shared/language.ts';
import type { Tone } from '../../shared/statuses.ts';

export const stepWords = catalogue({
  created: ['Cobrança criada', 'Charge created'],
  paid: ['Pagamento confirmado', 'Payment confirmed'],
  expired: ['Cobrança expirada', 'Charge expired'],
  cancelled: ['Cobrança cancelada', 'Charge cancelled'],
  refund_requested: ['Devolução pedida', 'Refund requested'],
  refund_accepted: ['Devolução aceita pelo provedor', 'Refund accepted by the provider'],
  refunded: ['Devolvida', 'Refunded'],
  refund_failed: ['Devolução não concluída', 'Refund failed'],
  unexpected_payment_received: ['Pagamento inesperado recebido', 'Unexpected payment received'],
  unexpected_payment_returned: ['Pagamento inesperado devolvido', 'Unexpected payment returned'],
  dispute_opened: ['Contestação aberta', 'Dispute opened'],
  evidence_sent: ['Defesa enviada', 'Evidence sent'],
  dispute_resolved: ['Contestação encerrada', 'Dispute resolved'],
});

export const waitWords = catalogue({
  payment: ['Aguardando o pagamento', 'Waiting for the payment'],
  provider: ['Aguardando o provedor', 'Waiting for the provider'],
  evidence: ['Aguardando a sua defesa', 'Waiting for your evidence'],
  decision: ['Aguardando a decisão da contestação', 'Waiting for the dispute decision'],
  refund: ['Aguardando a devolução', 'Waiting for the refund'],
  stop: ['Devoluções suspensas por enquanto', 'Refunds are suspended for now'],
  return: ['Pagamento inesperado sendo devolvido', 'Unexpected payment being returned'],
  settlement: ['Aguardando o dinheiro ficar disponível', 'Waiting for the money to become available'],
  until: ['até {when}', 'until {when}'],
});

export const toneOfStep: Readonly<Record<string, Tone>> = {
  paid: 'good',
  expired: 'neutral',
  cancelled: 'neutral',
  refund_failed: 'bad',
  unexpected_payment_received: 'warn',
  dispute_opened: 'bad',
};

/**
 * The texts of the reasons that the platform gives for a failed or ended step. All other reasons are the
 * merchant's own text.
 */
export const reasonWords = catalogue({
  insufficient_balance: ['saldo insuficiente', 'insufficient balance'],
  refused_by_provider: ['recusada pelo provedor', 'refused by the provider'],
  RESOLVED_MERCHANT: ['a seu favor', 'in your favour'],
  RESOLVED_CUSTOMER: ['a favor do pagador', 'in the payer’s favour'],
  CANCELLED: ['retirada pelo pagador', 'withdrawn by the payer'],
  LATE: ['chegou com atraso', 'arrived late'],
  DUPLICATE: ['pago em dobro', 'paid twice'],
  WRONG_AMOUNT: ['valor diferente da cobrança', 'different from the charge amount'],
});
