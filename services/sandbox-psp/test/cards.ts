import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { SANDBOX_MERCHANT } from '@plataforma/service';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { type Bank, CARDS, newTxid, send } from './bank.ts';

const moment = z.iso.datetime();
const cents = z.int().min(0);
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[a-zA-Z0-9]{16}$`));

/** Schemas of the Pagar.me v5 answers that this provider gives. */
export const cardToken = z.strictObject({
  id: id('token'),
  type: z.literal('card'),
  created_at: moment,
  expires_at: moment,
  card: z.strictObject({
    last_four_digits: z.string().regex(/^\d{4}$/),
    first_six_digits: z.string().regex(/^\d{6}$/),
    holder_name: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    brand: z.string(),
  }),
});

export const cardCharge = z.strictObject({
  id: id('ch'),
  code: z.string(),
  amount: cents,
  paid_amount: cents,
  canceled_amount: cents,
  status: z.enum(['paid', 'failed', 'processing', 'canceled', 'chargedback']),
  payment_method: z.literal('credit_card'),
  created_at: moment,
  paid_at: moment.optional(),
  canceled_at: moment.optional(),
  chargeback: z.strictObject({ amount: cents, reason: z.string(), created_at: moment }).optional(),
  last_transaction: z.strictObject({
    id: id('tran'),
    transaction_type: z.literal('credit_card'),
    status: z.enum(['captured', 'not_authorized', 'processing', 'refunded', 'voided']),
    success: z.boolean(),
    amount: cents,
    installments: z.int(),
    acquirer_name: z.literal('sandbox'),
    acquirer_tid: z.string(),
    acquirer_nsu: z.string(),
    acquirer_auth_code: z.string(),
    acquirer_message: z.string(),
    acquirer_return_code: z.string(),
    card: z.strictObject({
      id: id('card'),
      brand: z.string(),
      first_six_digits: z.string(),
      last_four_digits: z.string(),
    }),
    gateway_response: z.strictObject({ code: z.string(), errors: z.array(z.unknown()) }),
  }),
});

export const cardOrder = z.strictObject({
  id: id('or'),
  code: z.string(),
  amount: cents,
  currency: z.literal('BRL'),
  status: z.enum(['paid', 'failed', 'pending', 'processing', 'canceled']),
  created_at: moment,
  charges: z.tuple([cardCharge]),
});

const cardHook = z.strictObject({
  id: id('hook'),
  type: z.enum(['charge.paid', 'charge.payment_failed', 'charge.refunded', 'charge.chargedback']),
  created_at: moment,
  data: cardCharge,
});

export const APPROVED = '4000000000000010';

export const card = (number = APPROVED) => ({
  number,
  holder_name: 'MARIA DA SILVA',
  exp_month: 12,
  exp_year: 40,
  cvv: '987',
});

export function askForToken(url: string, body: unknown, appId = CARDS.publicKey) {
  return send(`${url}/core/v5/tokens?appId=${appId}`, { method: 'POST' }, body);
}

export async function tokenize({ url }: { url: string }, number?: string): Promise<string> {
  return cardToken.parse((await askForToken(url, { type: 'card', card: card(number) })).body).id;
}

interface CardCall {
  key?: string;
  body?: unknown;
  secretKey?: string;
  signal?: AbortSignal;
  /** The id of the platform's merchant in the header of the call. */
  merchantId?: string;
}

/** Calls the card API, by default with the secret key of the shop. */
export function callCards({ url }: { url: string }, route: string, call: CardCall = {}) {
  const { key, body, secretKey = CARDS.secretKey, signal, merchantId } = call;
  const [method = '', path = ''] = route.split(' ');
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  const headers = {
    authorization,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(merchantId !== undefined && { [SANDBOX_MERCHANT]: merchantId }),
  };
  return send(`${url}/core/v5${path}`, { method, headers, ...(signal && { signal }) }, body);
}

export function orderBody(cardTokenId: string, code: string = newTxid()) {
  return {
    code,
    items: [{ amount: 2500, description: 'Curso', quantity: 2, code: 'c1' }],
    customer: { name: 'Maria da Silva', document: '52513127765', type: 'individual', email: 'm@example.com' },
    payments: [
      {
        payment_method: 'credit_card',
        credit_card: {
          installments: 3,
          statement_descriptor: 'LOJA',
          operation_type: 'auth_and_capture',
          card_token: cardTokenId,
        },
      },
    ],
    closed: true,
  };
}

/** Creates an order of 50.00, and returns the order and its charge. */
export async function charged(bank: Bank, number?: string) {
  const body = orderBody(await tokenize(bank, number));
  const answer = await callCards(bank, 'POST /orders', { key: body.code, body });
  const order = cardOrder.parse(answer.body);
  return { order, charge: order.charges[0], code: body.code };
}

export async function readCardCharge(bank: { url: string }, chargeId: string) {
  return cardCharge.parse((await callCards(bank, `GET /charges/${chargeId}`)).body);
}

export function hooksOf(bank: Bank, chargeId: string) {
  return bank.receiver.deliveries
    .filter(({ path, body }) => path === '/callbacks/acquirer' && body.includes(chargeId))
    .map(({ body }) => cardHook.parse(JSON.parse(body.toString())));
}

const listedOrders = z.strictObject({
  data: z.array(cardOrder),
  paging: z.strictObject({ total: z.int() }),
});

export async function ordersOf(bank: Bank, code: string) {
  return listedOrders.parse((await callCards(bank, `GET /orders?code=${code}`)).body).data;
}

/**
 * Sends an order, and closes the connection soon after the provider has stored the order. Returns `answered`,
 * or the name of the error.
 */
export async function orderAndHangUp(bank: Bank, body: ReturnType<typeof orderBody>): Promise<string> {
  const waiting = new AbortController();
  const call = callCards(bank, 'POST /orders', { key: body.code, body, signal: waiting.signal });
  const ended = call.then(
    () => 'answered',
    ({ name }) => String(name),
  );
  await eventually(async () => expect(await ordersOf(bank, body.code)).toHaveLength(1));
  await sleep(200);
  waiting.abort();
  return ended;
}
