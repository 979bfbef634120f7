/** Words for values of the API, which files and pages share. Browsers load this module, so it imports nothing. */

type Pairs<Value extends string> = Record<Value, readonly [portuguese: string, english: string]>;

function inBoth<Value extends string>(pairs: Pairs<Value>): Record<'pt-BR' | 'en', Record<Value, string>> {
  const words = (language: 0 | 1) =>
    Object.fromEntries(
      Object.entries<Pairs<Value>[Value]>(pairs).map(([value, pair]) => [value, pair[language]]),
    );
  return { 'pt-BR': words(0), en: words(1) } as Record<'pt-BR' | 'en', Record<Value, string>>;
}

const charge = inBoth({
  PENDING: ['Pendente', 'Pending'],
  PAID: ['Paga', 'Paid'],
  EXPIRED: ['Expirada', 'Expired'],
  CANCELLED: ['Cancelada', 'Cancelled'],
  REFUNDED: ['Devolvida', 'Refunded'],
  DISPUTED: ['Contestada', 'Disputed'],
});
const refund = inBoth({
  PROCESSING: ['Em andamento', 'In progress'],
  REFUNDED: ['Devolvida', 'Refunded'],
  FAILED: ['Não concluída', 'Failed'],
});
const dispute = inBoth({
  OPEN: ['Aberta', 'Open'],
  UNDER_REVIEW: ['Em análise', 'Under review'],
  RESOLVED_MERCHANT: ['Ganha', 'Won'],
  RESOLVED_CUSTOMER: ['Perdida', 'Lost'],
  CANCELLED: ['Retirada', 'Withdrawn'],
});
const withdrawal = inBoth({
  PENDING: ['Pendente', 'Pending'],
  APPROVED: ['Aprovado', 'Approved'],
  PROCESSING: ['Em andamento', 'In progress'],
  COMPLETED: ['Concluído', 'Completed'],
  FAILED: ['Não concluído', 'Failed'],
  REJECTED: ['Recusado', 'Rejected'],
});
const delivery = inBoth({
  PENDING: ['Pendente', 'Pending'],
  SUCCEEDED: ['Entregue', 'Delivered'],
  FAILED: ['Não entregue', 'Not delivered'],
});
const key = inBoth({
  ACTIVE: ['Ativa', 'Active'],
  EXPIRED: ['Expirada', 'Expired'],
  REVOKED: ['Revogada', 'Revoked'],
});
const webhook = inBoth({ ACTIVE: ['Ativo', 'Active'], PAUSED: ['Pausado', 'Paused'] });
const paymentLink = inBoth({
  ACTIVE: ['Ativo', 'Active'],
  INACTIVE: ['Pausado', 'Paused'],
  EXPIRED: ['Expirado', 'Expired'],
  USED_UP: ['Esgotado', 'Used up'],
});
const account = inBoth({
  PENDING: ['Em análise', 'Under review'],
  APPROVED: ['Aprovada', 'Approved'],
  REJECTED: ['Não aprovada', 'Not approved'],
  SUSPENDED: ['Suspensa', 'Suspended'],
});

const inLanguage = (language: 'pt-BR' | 'en') => ({
  charge: charge[language],
  refund: refund[language],
  dispute: dispute[language],
  withdrawal: withdrawal[language],
  delivery: delivery[language],
  key: key[language],
  webhook: webhook[language],
  paymentLink: paymentLink[language],
  account: account[language],
});

export const statuses = { 'pt-BR': inLanguage('pt-BR'), en: inLanguage('en') };

/** Texts of the platform in fields where people write theirs. The API has the name of each. */
export const platformTexts = inBoth({
  dispute: ['contestação perdida', 'dispute lost'],
  'cancelled by the merchant': ['cancelado pela loja', 'cancelled by the merchant'],
  'decided in the sandbox': ['decidido no sandbox', 'decided in the sandbox'],
  'the cardholder contests the payment': [
    'o titular do cartão contesta o pagamento',
    'the cardholder contests the payment',
  ],
});

export const methods = inBoth({
  PIX: ['Pix', 'Pix'],
  CARD: ['Cartão', 'Card'],
  BOLETO: ['Boleto', 'Boleto'],
});

/** The movements of a balance, by their type. */
export const movements = inBoth({
  CREDIT: ['Crédito', 'Credit'],
  DEBIT: ['Débito', 'Debit'],
  FEE: ['Tarifa', 'Fee'],
  WITHDRAWAL: ['Saque', 'Withdrawal'],
  REFUND: ['Devolução', 'Refund'],
  DISPUTE_RESERVE: ['Reserva de contestação', 'Dispute reserve'],
  DISPUTE_RELEASE: ['Liberação de contestação', 'Dispute release'],
  DISPUTE_DEFICIT: ['Dívida de contestação', 'Dispute debt'],
});

/** Changes of the available balance, by the type of their movement. */
export const availableMovements = inBoth({
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

export const disputeReasonWords = inBoth({
  FRAUD: ['Fraude', 'Fraud'],
  NOT_RECEIVED: ['Produto não recebido', 'Goods not received'],
  NOT_AS_DESCRIBED: ['Diferente do anunciado', 'Not as described'],
  DUPLICATE: ['Cobrança em dobro', 'Charged twice'],
  CANCELLED: ['Compra cancelada', 'Purchase cancelled'],
  AUTHORIZATION: ['Sem autorização do emissor', 'Not authorised by the issuer'],
  OPERATIONAL: ['Falha operacional', 'Operational failure'],
  OTHER: ['Outro motivo', 'Another reason'],
});

export const withdrawalSources = inBoth({
  MANUAL: ['Chave ou destino', 'Key or destination'],
  QR_CODE: ['Código Pix', 'Pix code'],
});
