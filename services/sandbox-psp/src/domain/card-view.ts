import type { CardCharge, CardChargeStatus } from './card-charge.ts';
import type { CardOutcome } from './test-card.ts';

const orderStatus = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  // After a chargeback the order is still paid, because the buyer's payment did happen.
  chargedback: 'paid',
} as const satisfies Record<CardChargeStatus, string>;

const transactionStatus = {
  processing: 'processing',
  paid: 'captured',
  failed: 'not_authorized',
  canceled: 'refunded',
  chargedback: 'captured',
} as const satisfies Record<CardChargeStatus, string>;

/** Response codes of ABECS, the association of Brazilian card acquirers, for each result of a payment. */
const answers: Record<CardOutcome, { code: string; message: string }> = {
  APPROVED: { code: '00', message: 'Transação aprovada' },
  LATE_APPROVED: { code: '00', message: 'Transação aprovada' },
  INSUFFICIENT_FUNDS: { code: '51', message: 'Saldo insuficiente' },
  LATE_DECLINED: { code: '51', message: 'Saldo insuficiente' },
  EXPIRED_CARD: { code: '54', message: 'Cartão vencido' },
  SUSPECTED_FRAUD: { code: '59', message: 'Suspeita de fraude' },
};
const NO_ANSWER = { code: '', message: '' };

/** Returns the order in the format of Pagar.me v5. */
export function cardOrderOf(charge: CardCharge) {
  return {
    id: charge.orderId,
    code: charge.code,
    amount: charge.amount,
    currency: 'BRL',
    status: orderStatus[charge.status],
    created_at: charge.createdAt.toISOString(),
    charges: [cardChargeOf(charge)],
  };
}

/** Returns the charge in the format of Pagar.me v5, for answers and hooks. */
export function cardChargeOf(charge: CardCharge) {
  const { chargeback } = charge;
  return {
    id: charge.id,
    code: charge.code,
    amount: charge.amount,
    paid_amount: charge.paidAt ? charge.amount : 0,
    canceled_amount: charge.canceledAmount,
    status: charge.status,
    payment_method: 'credit_card',
    created_at: charge.createdAt.toISOString(),
    ...(charge.paidAt && { paid_at: charge.paidAt.toISOString() }),
    ...(charge.canceledAt && { canceled_at: charge.canceledAt.toISOString() }),
    ...(chargeback && {
      chargeback: {
        amount: chargeback.amount,
        reason: chargeback.reason,
        created_at: chargeback.createdAt.toISOString(),
      },
    }),
    last_transaction: transactionOf(charge),
  };
}

function transactionOf({ status, paidAt, amount, installments, card, transaction }: CardCharge) {
  const { code, message } = status === 'processing' ? NO_ANSWER : answers[card.outcome];
  return {
    id: transaction.id,
    transaction_type: 'credit_card',
    status: transactionStatus[status],
    success: paidAt !== null,
    amount,
    installments,
    acquirer_name: 'sandbox',
    acquirer_tid: transaction.tid,
    acquirer_nsu: transaction.nsu,
    acquirer_auth_code: paidAt ? transaction.authCode : '',
    acquirer_message: message,
    acquirer_return_code: code,
    card: {
      id: card.id,
      brand: card.brand,
      first_six_digits: card.firstSix,
      last_four_digits: card.lastFour,
    },
    gateway_response: { code: '200', errors: [] },
  };
}
