/**
 * The Portuguese and English words for values of the API, such as statuses. CSV files and pages use the same
 * words. Browsers load this module, so it must not import a schema.
 */

import { catalogue } from './catalogue.ts';

export const statuses = catalogue({
  charge: {
    PENDING: ['Pendente', 'Pending'],
    PAID: ['Paga', 'Paid'],
    EXPIRED: ['Expirada', 'Expired'],
    CANCELLED: ['Cancelada', 'Cancelled'],
    REFUNDED: ['Devolvida', 'Refunded'],
    DISPUTED: ['Contestada', 'Disputed'],
  },
  refund: {
    PROCESSING: ['Em andamento', 'In progress'],
    REFUNDED: ['Devolvida', 'Refunded'],
    FAILED: ['Não concluída', 'Failed'],
  },
  dispute: {
    OPEN: ['Aberta', 'Open'],
    UNDER_REVIEW: ['Em análise', 'Under review'],
    RESOLVED_MERCHANT: ['Ganha', 'Won'],
    RESOLVED_CUSTOMER: ['Perdida', 'Lost'],
    CANCELLED: ['Retirada', 'Withdrawn'],
  },
  withdrawal: {
    PENDING: ['Pendente', 'Pending'],
    APPROVED: ['Aprovado', 'Approved'],
    PROCESSING: ['Em andamento', 'In progress'],
    COMPLETED: ['Concluído', 'Completed'],
    FAILED: ['Não concluído', 'Failed'],
    REJECTED: ['Recusado', 'Rejected'],
  },
  delivery: {
    PENDING: ['Pendente', 'Pending'],
    SUCCEEDED: ['Entregue', 'Delivered'],
    FAILED: ['Não entregue', 'Not delivered'],
  },
  key: {
    ACTIVE: ['Ativa', 'Active'],
    EXPIRED: ['Expirada', 'Expired'],
    REVOKED: ['Revogada', 'Revoked'],
  },
  webhook: { ACTIVE: ['Ativo', 'Active'], PAUSED: ['Pausado', 'Paused'] },
  paymentLink: {
    ACTIVE: ['Ativo', 'Active'],
    INACTIVE: ['Pausado', 'Paused'],
    EXPIRED: ['Expirado', 'Expired'],
    USED_UP: ['Esgotado', 'Used up'],
  },
  account: {
    PENDING: ['Em análise', 'Under review'],
    APPROVED: ['Aprovada', 'Approved'],
    REJECTED: ['Não aprovada', 'Not approved'],
    SUSPENDED: ['Suspensa', 'Suspended'],
  },
});

/**
 * Texts that the platform writes into free-text fields. The API returns an entry's key, such as `dispute`.
 * Files and pages show the entry's words in the reader's language.
 */
export const platformTexts = catalogue({
  dispute: ['contestação perdida', 'dispute lost'],
  'cancelled by the merchant': ['cancelado pela loja', 'cancelled by the merchant'],
  'decided in the sandbox': ['decidido no sandbox', 'decided in the sandbox'],
  'the cardholder contests the payment': [
    'o titular do cartão contesta o pagamento',
    'the cardholder contests the payment',
  ],
});

export const methods = catalogue({
  PIX: ['Pix', 'Pix'],
  CARD: ['Cartão', 'Card'],
  BOLETO: ['Boleto', 'Boleto'],
});

export const movements = catalogue({
  CREDIT: ['Crédito', 'Credit'],
  DEBIT: ['Débito', 'Debit'],
  FEE: ['Tarifa', 'Fee'],
  WITHDRAWAL: ['Saque', 'Withdrawal'],
  REFUND: ['Devolução', 'Refund'],
  DISPUTE_RESERVE: ['Reserva de contestação', 'Dispute reserve'],
  DISPUTE_RELEASE: ['Liberação de contestação', 'Dispute release'],
  DISPUTE_DEFICIT: ['Dívida de contestação', 'Dispute debt'],
});

export const availableMovements = catalogue({
  PAYMENT: ['Recebimento', 'Payment'],
  SETTLEMENT: ['Liquidação de cartão', 'Card settlement'],
  REFUND: ['Devolução', 'Refund'],
  REFUND_RETURN: ['Devolução não concluída', 'Refund not completed'],
  DISPUTE_RESERVE: ['Reserva de contestação', 'Dispute reserve'],
  DISPUTE_RELEASE: ['Liberação de contestação', 'Dispute release'],
  WITHDRAWAL: ['Saque', 'Withdrawal'],
  WITHDRAWAL_RETURN: ['Saque não concluído', 'Withdrawal not completed'],
  BLOCK: ['Bloqueio', 'Block'],
  UNBLOCK: ['Desbloqueio', 'Unblock'],
  ADJUSTMENT: ['Ajuste', 'Adjustment'],
});

export const disputeReasonWords = catalogue({
  FRAUD: ['Fraude', 'Fraud'],
  NOT_RECEIVED: ['Produto não recebido', 'Goods not received'],
  NOT_AS_DESCRIBED: ['Diferente do anunciado', 'Not as described'],
  DUPLICATE: ['Cobrança em dobro', 'Charged twice'],
  CANCELLED: ['Compra cancelada', 'Purchase cancelled'],
  AUTHORIZATION: ['Sem autorização do emissor', 'Not authorised by the issuer'],
  OPERATIONAL: ['Falha operacional', 'Operational failure'],
  OTHER: ['Outro motivo', 'Another reason'],
});

export const withdrawalSources = catalogue({
  MANUAL: ['Chave ou destino', 'Key or destination'],
  QR_CODE: ['Código Pix', 'Pix code'],
});
