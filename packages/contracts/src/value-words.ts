/** Words for values of the API, which files and pages share. Browsers load this module, so it imports nothing. */

export const statuses = {
  'pt-BR': {
    charge: {
      PENDING: 'Pendente',
      PAID: 'Paga',
      EXPIRED: 'Expirada',
      CANCELLED: 'Cancelada',
      REFUNDED: 'Devolvida',
      DISPUTED: 'Contestada',
    },
    refund: { PROCESSING: 'Em andamento', REFUNDED: 'Devolvida', FAILED: 'Não concluída' },
    dispute: {
      OPEN: 'Aberta',
      UNDER_REVIEW: 'Em análise',
      RESOLVED_MERCHANT: 'Ganha',
      RESOLVED_CUSTOMER: 'Perdida',
      CANCELLED: 'Retirada',
    },
    withdrawal: {
      PENDING: 'Pendente',
      APPROVED: 'Aprovado',
      PROCESSING: 'Em andamento',
      COMPLETED: 'Concluído',
      FAILED: 'Não concluído',
      REJECTED: 'Recusado',
    },
    delivery: { PENDING: 'Pendente', SUCCEEDED: 'Entregue', FAILED: 'Não entregue' },
    key: { ACTIVE: 'Ativa', EXPIRED: 'Expirada', REVOKED: 'Revogada' },
    webhook: { ACTIVE: 'Ativo', PAUSED: 'Pausado' },
    paymentLink: { ACTIVE: 'Ativo', INACTIVE: 'Pausado', EXPIRED: 'Expirado', USED_UP: 'Esgotado' },
    account: {
      PENDING: 'Em análise',
      APPROVED: 'Aprovada',
      REJECTED: 'Não aprovada',
      SUSPENDED: 'Suspensa',
    },
  },
  en: {
    charge: {
      PENDING: 'Pending',
      PAID: 'Paid',
      EXPIRED: 'Expired',
      CANCELLED: 'Cancelled',
      REFUNDED: 'Refunded',
      DISPUTED: 'Disputed',
    },
    refund: { PROCESSING: 'In progress', REFUNDED: 'Refunded', FAILED: 'Failed' },
    dispute: {
      OPEN: 'Open',
      UNDER_REVIEW: 'Under review',
      RESOLVED_MERCHANT: 'Won',
      RESOLVED_CUSTOMER: 'Lost',
      CANCELLED: 'Withdrawn',
    },
    withdrawal: {
      PENDING: 'Pending',
      APPROVED: 'Approved',
      PROCESSING: 'In progress',
      COMPLETED: 'Completed',
      FAILED: 'Failed',
      REJECTED: 'Rejected',
    },
    delivery: { PENDING: 'Pending', SUCCEEDED: 'Delivered', FAILED: 'Not delivered' },
    key: { ACTIVE: 'Active', EXPIRED: 'Expired', REVOKED: 'Revoked' },
    webhook: { ACTIVE: 'Active', PAUSED: 'Paused' },
    paymentLink: { ACTIVE: 'Active', INACTIVE: 'Paused', EXPIRED: 'Expired', USED_UP: 'Used up' },
    account: {
      PENDING: 'Under review',
      APPROVED: 'Approved',
      REJECTED: 'Not approved',
      SUSPENDED: 'Suspended',
    },
  },
};

/** Texts of the platform in fields where people write theirs. The API has the name of each. */
export const platformTexts = {
  'pt-BR': {
    dispute: 'contestação perdida',
    'cancelled by the merchant': 'cancelado pela loja',
    'decided in the sandbox': 'decidido no sandbox',
    'the cardholder contests the payment': 'o titular do cartão contesta o pagamento',
  },
  en: {
    dispute: 'dispute lost',
    'cancelled by the merchant': 'cancelled by the merchant',
    'decided in the sandbox': 'decided in the sandbox',
    'the cardholder contests the payment': 'the cardholder contests the payment',
  },
};

export const methods = {
  'pt-BR': { PIX: 'Pix', CARD: 'Cartão', BOLETO: 'Boleto' },
  en: { PIX: 'Pix', CARD: 'Card', BOLETO: 'Boleto' },
};

/** The movements of a balance, by their type. */
export const movements = {
  'pt-BR': {
    CREDIT: 'Crédito',
    DEBIT: 'Débito',
    FEE: 'Tarifa',
    WITHDRAWAL: 'Saque',
    REFUND: 'Devolução',
    DISPUTE_RESERVE: 'Reserva de contestação',
    DISPUTE_RELEASE: 'Liberação de contestação',
    DISPUTE_DEFICIT: 'Dívida de contestação',
  },
  en: {
    CREDIT: 'Credit',
    DEBIT: 'Debit',
    FEE: 'Fee',
    WITHDRAWAL: 'Withdrawal',
    REFUND: 'Refund',
    DISPUTE_RESERVE: 'Dispute reserve',
    DISPUTE_RELEASE: 'Dispute release',
    DISPUTE_DEFICIT: 'Dispute debt',
  },
};

/** Changes of the available balance, by the type of their movement. */
export const availableMovements = {
  'pt-BR': {
    PAYMENT: 'Recebimento',
    SETTLEMENT: 'Liquidação de cartão',
    REFUND: 'Devolução',
    REFUND_RETURN: 'Devolução não concluída',
    DISPUTE_RESERVE: 'Reserva de contestação',
    DISPUTE_RELEASE: 'Liberação de contestação',
    WITHDRAWAL: 'Saque',
    WITHDRAWAL_RETURN: 'Saque não concluído',
    BLOCK: 'Bloqueio',
    UNBLOCK: 'Desbloqueio',
    ADJUSTMENT: 'Ajuste',
  },
  en: {
    PAYMENT: 'Payment',
    SETTLEMENT: 'Card settlement',
    REFUND: 'Refund',
    REFUND_RETURN: 'Refund not completed',
    DISPUTE_RESERVE: 'Dispute reserve',
    DISPUTE_RELEASE: 'Dispute release',
    WITHDRAWAL: 'Withdrawal',
    WITHDRAWAL_RETURN: 'Withdrawal not completed',
    BLOCK: 'Block',
    UNBLOCK: 'Unblock',
    ADJUSTMENT: 'Adjustment',
  },
};

export const disputeReasonWords = {
  'pt-BR': {
    FRAUD: 'Fraude',
    NOT_RECEIVED: 'Produto não recebido',
    NOT_AS_DESCRIBED: 'Diferente do anunciado',
    DUPLICATE: 'Cobrança em dobro',
    CANCELLED: 'Compra cancelada',
    AUTHORIZATION: 'Sem autorização do emissor',
    OPERATIONAL: 'Falha operacional',
    OTHER: 'Outro motivo',
  },
  en: {
    FRAUD: 'Fraud',
    NOT_RECEIVED: 'Goods not received',
    NOT_AS_DESCRIBED: 'Not as described',
    DUPLICATE: 'Charged twice',
    CANCELLED: 'Purchase cancelled',
    AUTHORIZATION: 'Not authorised by the issuer',
    OPERATIONAL: 'Operational failure',
    OTHER: 'Another reason',
  },
};

export const withdrawalSources = {
  'pt-BR': { MANUAL: 'Chave ou destino', QR_CODE: 'Código Pix' },
  en: { MANUAL: 'Key or destination', QR_CODE: 'Pix code' },
};
