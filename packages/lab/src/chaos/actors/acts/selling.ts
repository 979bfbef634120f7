import { z } from 'zod';
import type { Dice } from '../../dice.ts';
import type { Client, Thing } from '../client.ts';
import { type ActContext, atBank, EndOfAct, given, until } from './act.ts';

export function anOrder(dice: Dice, changes: Thing = {}): Thing {
  return {
    amount: dice.int(500, 20_000),
    externalId: `order-${dice.uuid()}`,
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
    ...changes,
  };
}

/**
 * Returns the request that creates a charge. Its externalId makes a retry safe. Some of these requests also
 * have an Idempotency-Key.
 */
export function charging(dice: Dice, order: Thing) {
  return {
    action: order.paymentMethod === 'CARD' ? 'create-card-charge' : 'create-charge',
    method: 'POST',
    path: '/v1/charges',
    body: order,
    intent: dice.uuid(),
    again: dice.oneIn(2) ? 'by key' : 'as it is',
  } as const;
}

export async function sell(
  { api, dice }: Pick<ActContext, 'api' | 'dice'>,
  changes: Thing = {},
): Promise<Thing> {
  return given(await api.ask(charging(dice, anOrder(dice, changes))));
}

interface Payment {
  amount?: number;
  times?: number;
  notify?: boolean;
}

/**
 * Pays a charge at the bank. Without `how`, the payer pays the charge's amount once and the bank sends a
 * callback.
 */
export function pay({ bank }: Pick<ActContext, 'bank'>, { txid }: Thing, how: Payment = {}): Promise<void> {
  return atBank(bank, `/pix/${txid}/pay`, how);
}

/** Reads a charge until it has one of the given statuses. Ends the act at the timeout. */
export function becomes(
  { api }: Pick<ActContext, 'api'>,
  { id }: Thing,
  ...statuses: string[]
): Promise<Thing> {
  return until(async () => {
    const { data } = await api.read('read-charge', `/v1/charges/${id}`);
    return statuses.includes(String(data.status)) ? data : undefined;
  });
}

/** Creates a charge, pays it and waits until it is PAID. */
export async function earn(
  context: Pick<ActContext, 'api' | 'dice' | 'bank'>,
  amount?: number,
): Promise<Thing> {
  const charge = await sell(context, amount === undefined ? {} : { amount });
  await pay(context, charge);
  return becomes(context, charge, 'PAID');
}

export const cards = {
  approved: '4000000000000010',
  declined: '4000000000000028',
  approvedTooLate: '4000000000000051',
  declinedTooLate: '4000000000000069',
} as const;

const TIMEOUT_MS = 10_000;
const token = z.object({ id: z.string() });

/**
 * Returns a card order. It tokenizes the card at the acquirer that the API names, as a buyer's browser does.
 */
export async function aCardOrder(
  { api, dice }: Pick<ActContext, 'api' | 'dice'>,
  number: string,
): Promise<Thing> {
  const cardToken = await tokenize(api, number);
  return anOrder(dice, { paymentMethod: 'CARD', cardToken, installments: dice.int(1, 3) });
}

export async function tokenize(api: Client, number: string): Promise<string> {
  return tokenOf(given(await api.read('read-card-config', '/v1/charges/card-config')), number);
}

/** Returns the token of a card from the acquirer in `config`. */
export async function tokenOf(config: Thing, number: string): Promise<string> {
  const card = { number, holder_name: 'Maria da Silva', exp_month: 12, exp_year: 35, cvv: '123' };
  try {
    const response = await fetch(`${config.tokenizeUrl}?appId=${config.publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://loja.test' },
      body: JSON.stringify({ type: 'card', card }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return token.parse(await response.json()).id;
  } catch (error) {
    throw new EndOfAct(`no token: ${error}`);
  }
}

export async function earnByCard(context: Pick<ActContext, 'api' | 'dice'>): Promise<Thing> {
  return given(await context.api.ask(charging(context.dice, await aCardOrder(context, cards.approved))));
}
