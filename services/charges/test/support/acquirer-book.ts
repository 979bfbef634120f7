import { newId } from '@plataforma/kernel';
import { z } from 'zod';

/** The body of `POST /orders` of Pagar.me v5. A field that Pagar.me does not publish is an error. */
export const orderTaken = z.strictObject({
  code: z.string().min(1).max(52),
  items: z
    .array(
      z.strictObject({
        amount: z.int().min(1),
        description: z.string().min(1).max(256),
        quantity: z.literal(1),
        code: z.string().min(1).max(52),
      }),
    )
    .length(1),
  customer: z.strictObject({
    name: z.string().min(1).max(64),
    document: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
    type: z.enum(['individual', 'company']),
    email: z.email().optional(),
    phones: z
      .strictObject({
        mobile_phone: z.strictObject({
          country_code: z.literal('55'),
          area_code: z.string().regex(/^\d{2}$/),
          number: z.string().regex(/^\d{8,9}$/),
        }),
      })
      .optional(),
  }),
  payments: z
    .array(
      z.strictObject({
        payment_method: z.literal('credit_card'),
        credit_card: z.strictObject({
          installments: z.int().min(1).max(24),
          statement_descriptor: z.string().min(1).max(13).optional(),
          operation_type: z.literal('auth_and_capture'),
          card_token: z.string().min(1),
        }),
      }),
    )
    .length(1),
  closed: z.literal(true),
});

export type OrderTaken = z.infer<typeof orderTaken>;

export interface Card {
  /** The outcome of a payment with the card. */
  fate: 'paid' | 'failed' | 'processing';
  returnCode: string;
  /** The result of the fraud check; null when the acquirer makes no fraud check. */
  antifraud: 'approved' | 'reproved' | null;
  brand: string;
  lastDigits: string;
}

export interface CardPayment {
  id: string;
  orderId: string;
  order: OrderTaken;
  amount: number;
  canceledAmount: number;
  status: 'paid' | 'failed' | 'processing' | 'canceled' | 'chargedback';
  chargeback: { amount: number; reason: string } | null;
  card: Card;
  createdAt: Date;
}

/** Creates a record of an acquirer's card payments and their states. */
export function createAcquirerBook() {
  const tokens = new Map<string, Card>();
  const payments = new Map<string, CardPayment>();
  const mark = () => newId().replaceAll('-', '');
  const all = () => [...payments.values()];

  function requirePayment(id: string): CardPayment {
    const payment = payments.get(id);
    if (!payment) throw new Error(`the acquirer has no charge ${id}`);
    return payment;
  }

  return {
    find: (id: string) => payments.get(id),
    ofOrder: (code: string) => all().filter(({ order }) => order.code === code),
    ofCard: (card: Card) => all().filter((payment) => payment.card === card),

    newCard: (traits: Partial<Card> = {}): Card => ({
      fate: 'paid',
      returnCode: '00',
      antifraud: null,
      brand: 'Visa',
      lastDigits: '0010',
      ...traits,
    }),

    tokenize(card: Card): string {
      const token = `token_${mark()}`;
      tokens.set(token, card);
      return token;
    },

    /** Accepts an order. Returns null when its token is unknown or was used before. */
    take(order: OrderTaken): CardPayment | null {
      const token = order.payments[0]?.credit_card.card_token ?? '';
      const card = tokens.get(token);
      if (!card || !tokens.delete(token)) return null;
      const payment: CardPayment = {
        id: `ch_${mark().slice(-16)}`,
        orderId: `or_${mark().slice(-16)}`,
        order,
        amount: order.items[0]?.amount ?? 0,
        canceledAmount: 0,
        status: card.fate,
        chargeback: null,
        card,
        createdAt: new Date(),
      };
      payments.set(payment.id, payment);
      return payment;
    },

    /** Refunds an amount of a payment. Returns null when the payment can't be refunded. */
    cancel(id: string, amount: number): CardPayment | null {
      const payment = requirePayment(id);
      if (payment.status !== 'paid' || payment.canceledAmount + amount > payment.amount) return null;
      payment.canceledAmount += amount;
      if (payment.canceledAmount === payment.amount) payment.status = 'canceled';
      return payment;
    },

    decide(id: string, status: 'paid' | 'failed'): void {
      requirePayment(id).status = status;
    },

    chargeBack(id: string, chargeback: { amount: number; reason: string }): void {
      Object.assign(requirePayment(id), { status: 'chargedback', chargeback });
    },
  };
}

export function orderView(payment: CardPayment) {
  const { orderId, order, amount, status } = payment;
  return {
    id: orderId,
    code: order.code,
    amount,
    currency: 'BRL',
    closed: true,
    status,
    created_at: payment.createdAt.toISOString(),
    charges: [chargeView(payment)],
  };
}

/** The status of a transaction for each status of its charge. */
const transactionStatus = {
  paid: 'captured',
  failed: 'not_authorized',
  processing: 'processing',
  canceled: 'refunded',
  chargedback: 'captured',
};

export function chargeView(payment: CardPayment) {
  const { id, order, amount, canceledAmount, status, chargeback, card } = payment;
  const wasPaid = status !== 'failed' && status !== 'processing';
  return {
    id,
    code: order.code,
    amount,
    paid_amount: wasPaid ? amount : 0,
    canceled_amount: canceledAmount,
    status,
    payment_method: 'credit_card',
    created_at: payment.createdAt.toISOString(),
    ...(chargeback ? { chargeback } : {}),
    last_transaction: {
      id: `tran_${id}`,
      status: transactionStatus[status],
      success: wasPaid,
      amount,
      installments: order.payments[0]?.credit_card.installments,
      acquirer_return_code: card.returnCode,
      acquirer_nsu: '000123456',
      acquirer_auth_code: wasPaid ? 'A1B2C3' : '',
      ...(card.antifraud ? { antifraud_response: { status: card.antifraud } } : {}),
      card: { id: 'card_1', brand: card.brand, last_four_digits: card.lastDigits },
      gateway_response: { code: '200', errors: [] },
    },
  };
}
