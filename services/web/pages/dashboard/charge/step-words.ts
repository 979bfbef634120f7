import { platformTexts } from '@plataforma/contracts/value-words';
import { catalogue } from '../../shared/language.ts';
import type { Tone } from '../../shared/statuses.ts';

export const stepWords = catalogue(
  {
    created: 'Cobrança criada',
    paid: 'Pagamento confirmado',
    expired: 'Cobrança expirada',
    cancelled: 'Cobrança cancelada',
    refund_requested: 'Devolução pedida',
    refund_accepted: 'Devolução aceita pelo provedor',
    refunded: 'Devolvida',
    refund_failed: 'Devolução não concluída',
    unexpected_payment_received: 'Pagamento inesperado recebido',
    unexpected_payment_returned: 'Pagamento inesperado devolvido',
    dispute_opened: 'Contestação aberta',
    evidence_sent: 'Defesa enviada',
    dispute_resolved: 'Contestação encerrada',
  },
  {
    created: 'Charge created',
    paid: 'Payment confirmed',
    expired: 'Charge expired',
    cancelled: 'Charge cancelled',
    refund_requested: 'Refund requested',
    refund_accepted: 'Refund accepted by the provider',
    refunded: 'Refunded',
    refund_failed: 'Refund failed',
    unexpected_payment_received: 'Unexpected payment received',
    unexpected_payment_returned: 'Unexpected payment returned',
    dispute_opened: 'Dispute opened',
    evidence_sent: 'Evidence sent',
    dispute_resolved: 'Dispute resolved',
  },
);

export const waitWords = catalogue(
  {
    payment: 'Aguardando o pagamento',
    provider: 'Aguardando o provedor',
    evidence: 'Aguardando a sua defesa',
    decision: 'Aguardando a decisão da contestação',
    refund: 'Aguardando a devolução',
    stop: 'Devoluções suspensas por enquanto',
    return: 'Pagamento inesperado sendo devolvido',
    settlement: 'Aguardando o dinheiro ficar disponível',
    until: (when: string) => `até ${when}`,
  },
  {
    payment: 'Waiting for the payment',
    provider: 'Waiting for the provider',
    evidence: 'Waiting for your evidence',
    decision: 'Waiting for the dispute’s decision',
    refund: 'Waiting for the refund',
    stop: 'Refunds are on hold for now',
    return: 'Unexpected payment on its way back',
    settlement: 'Waiting for the money to be available',
    until: (when: string) => `until ${when}`,
  },
);

export const toneOfStep: Readonly<Record<string, Tone>> = {
  paid: 'good',
  expired: 'neutral',
  cancelled: 'neutral',
  refund_failed: 'bad',
  unexpected_payment_received: 'warn',
  dispute_opened: 'bad',
};

/** Why something failed or ended, where the reason is one of ours and not a merchant's own text. */
export const reasonWords = catalogue(
  {
    insufficient_balance: 'saldo insuficiente',
    refused_by_provider: 'recusada pelo provedor',
    ...platformTexts['pt-BR'],
    RESOLVED_MERCHANT: 'a seu favor',
    RESOLVED_CUSTOMER: 'a favor do pagador',
    CANCELLED: 'retirada pelo pagador',
    LATE: 'chegou tarde',
    DUPLICATE: 'pago em dobro',
    WRONG_AMOUNT: 'valor diferente do cobrado',
  },
  {
    insufficient_balance: 'balance too low',
    refused_by_provider: 'refused by the provider',
    ...platformTexts.en,
    RESOLVED_MERCHANT: 'in your favour',
    RESOLVED_CUSTOMER: 'in the payer’s favour',
    CANCELLED: 'withdrawn by the payer',
    LATE: 'came late',
    DUPLICATE: 'paid twice',
    WRONG_AMOUNT: 'not the amount charged',
  },
);
