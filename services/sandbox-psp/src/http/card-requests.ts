import { type Cents, MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { checkedCardBody } from './card-errors.ts';

const name = z.string().min(1).max(256);
/** Accepts a number, or a text of digits, because the form of a browser may send either type. */
const digits = (from: number, to: number) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,4}$/)])
    .transform(Number)
    .pipe(z.int().min(from).max(to));

const tokenBody = z.object({
  type: z.literal('card'),
  card: z.object({
    number: z.string(),
    holder_name: z.string().min(1).max(64),
    exp_month: digits(1, 12),
    exp_year: z.union([digits(0, 99).transform((year) => 2000 + year), digits(2000, 2099)]),
    cvv: z.string().regex(/^\d{3,4}$/),
  }),
});

export function readCard(body: unknown) {
  const {
    number: given,
    holder_name: holderName,
    exp_month: month,
    exp_year: year,
  } = checkedCardBody(tokenBody, body ?? {}).card;
  return { number: given, holderName, expiry: { month, year } };
}

const cents = z.int().min(1).max(MAX_AMOUNT);

const orderBody = z.object({
  code: z.string().min(1).max(52),
  items: z
    .array(z.object({ amount: cents, description: name, quantity: z.int().min(1).max(1_000) }))
    .min(1)
    .max(100),
  customer: z.object({ name, document: z.string().min(1).max(50), type: z.enum(['individual', 'company']) }),
  payments: z.tuple([
    z.object({
      payment_method: z.literal('credit_card'),
      credit_card: z.object({
        installments: z.int().min(1).max(24).default(1),
        statement_descriptor: z.string().max(13).optional(),
        operation_type: z.literal('auth_and_capture').default('auth_and_capture'),
        card_token: z.string().min(1).max(64),
      }),
    }),
  ]),
  closed: z.literal(true).optional(),
});

const orderAmount = z.object({ items: cents });

interface CardOrderRequest {
  code: string;
  amount: Cents;
  installments: number;
  cardToken: string;
}

/** Reads the body of POST /orders. The customer's data is validated, but neither returned nor stored. */
export function readCardOrder(body: unknown): CardOrderRequest {
  const { code, items, payments } = checkedCardBody(orderBody, body ?? {});
  const total = items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0);
  const { items: amount } = checkedCardBody(orderAmount, { items: total });
  const { installments, card_token: cardToken } = payments[0].credit_card;
  return { code, amount, installments, cardToken };
}

const refundBody = z.object({ amount: cents.optional() });

export function readRefundAmount(body: unknown): Cents | undefined {
  return checkedCardBody(refundBody, body ?? {}).amount;
}

const moment = z.iso.datetime({ offset: true, abort: true }).transform((text) => new Date(text));
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number);

const chargesQuery = z.object({
  created_since: moment.optional(),
  created_until: moment.optional(),
  page: wholeNumber.default(1),
  size: wholeNumber.pipe(z.int().max(1_000)).default(10),
});

export function readChargesQuery(query: unknown) {
  const { created_since: since, created_until: until, page, size } = checkedCardBody(chargesQuery, query);
  return { since, until, page: { index: page - 1, size } };
}
