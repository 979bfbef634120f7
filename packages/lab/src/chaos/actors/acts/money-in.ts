import { setTimeout as sleep } from 'node:timers/promises';
import type { Thing } from '../client.ts';
import { type Act, type ActContext, atBank, atOnce, given } from './act.ts';
import {
  aCardOrder,
  anOrder,
  becomes,
  cards,
  charging,
  earn,
  earnByCard,
  pay,
  sell,
  tokenize,
} from './selling.ts';

const SECOND_MS = 1_000;

function cancel({ api, dice }: ActContext, { id }: Thing) {
  const request = { action: 'cancel-charge', method: 'DELETE', path: `/v1/charges/${id}` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/**
 * Sends the same order twice in parallel, which must create one charge, and once with another amount, which
 * must be refused.
 */
async function orderTwice({ api, dice }: ActContext): Promise<void> {
  const order = anOrder(dice);
  const request = charging(dice, order);
  const other = {
    ...charging(dice, { ...order, amount: Number(order.amount) + 1 }),
    action: 'reuse-order-id',
  };
  await atOnce(2, () => api.ask(request));
  await api.ask(other);
}

async function simulate({ merchant, dice }: ActContext): Promise<void> {
  const api = merchant.api.sandbox;
  const { id } = await sell({ api, dice });
  const path = `/v1/charges/${id}/simulate-payment`;
  const request = { action: 'simulate-payment', method: 'POST', path } as const;
  await api.ask({ ...request, intent: dice.uuid(), again: dice.oneIn(2) ? 'by key' : 'as it is' });
}

/**
 * Pays to the platform's Pix key, without a charge. The key is public, because every Pix code contains it.
 */
async function payKey(context: ActContext): Promise<void> {
  const { api, bank, dice } = context;
  const amount = dice.int(100, 5_000);
  const txid = dice.oneIn(2) ? { txid: `balcao${dice.int(1, 999)}` } : {};
  const notify = !dice.oneIn(3);
  const intent = dice.uuid();
  const { qrCode } = await sell(context);
  const request = { action: 'decode-qr', method: 'POST', path: '/v1/withdrawals/decode-qr' } as const;
  const { pixKey } = given(
    await api.ask({ ...request, body: { brCode: qrCode }, intent, again: 'as it is' }),
  );
  await atBank(bank, '/pix/pay', { pixKey, amount, ...txid, notify });
}

async function payAroundTheEnd(context: ActContext): Promise<void> {
  const expiresIn = context.dice.int(1, 3);
  const lateMs = context.dice.int(-SECOND_MS / 2, 2 * SECOND_MS);
  const charge = await sell(context, { expiresIn });
  await sleep(expiresIn * SECOND_MS + lateMs);
  await pay(context, charge);
  await becomes(context, charge, 'PAID', 'EXPIRED');
}

async function cancelWhilePaid(context: ActContext): Promise<void> {
  const charge = await sell(context);
  await Promise.all([cancel(context, charge), pay(context, charge)]);
  await becomes(context, charge, 'PAID', 'CANCELLED');
}

/** Makes a charge expire, be paid and be cancelled at the same moment. Only one of these ends may succeed. */
async function endInEveryWay(context: ActContext): Promise<void> {
  const atMs = context.dice.int(-SECOND_MS / 10, SECOND_MS);
  const charge = await sell(context, { expiresIn: 1 });
  await sleep(SECOND_MS + atMs);
  await Promise.all([cancel(context, charge), pay(context, charge)]);
  await becomes(context, charge, 'PAID', 'CANCELLED', 'EXPIRED');
}

/** Sends a card order once and never retries it, like a buyer who leaves the page. */
async function orderByCardOnce(context: ActContext, number: string): Promise<void> {
  const order = await aCardOrder(context, number);
  await context.api.ask({ ...charging(context.dice, order), again: 'never' });
}

/** Sends the same order with the same card twice in parallel. The card must be charged once. */
async function orderByCardTwice(context: ActContext): Promise<void> {
  const request = charging(context.dice, await aCardOrder(context, cards.approved));
  await atOnce(2, () => context.api.ask(request));
}

async function payByCard(context: ActContext, number: string): Promise<void> {
  await context.api.ask(charging(context.dice, await aCardOrder(context, number)));
}

/** Pays with another card after the first card was declined. Both orders have the same externalId. */
async function payBySecondCard(context: ActContext): Promise<void> {
  const order = await aCardOrder(context, cards.declined);
  await context.api.ask(charging(context.dice, order));
  const cardToken = await tokenize(context.api, cards.approved);
  await context.api.ask(charging(context.dice, { ...order, cardToken }));
}

async function after(making: Promise<Thing>, next: (charge: Thing) => Promise<unknown>): Promise<void> {
  await next(await making);
}

export const moneyIn: readonly Act[] = [
  { name: 'pay a charge', weight: 6, play: (context) => earn(context) },
  { name: 'order twice', weight: 2, play: orderTwice },
  {
    name: 'pay several times',
    weight: 2,
    play: (context) => after(sell(context), (it) => pay(context, it, { times: context.dice.int(2, 5) })),
  },
  {
    name: 'pay without a callback',
    weight: 2,
    play: (context) => after(sell(context), (it) => pay(context, it, { notify: false })),
  },
  {
    name: 'pay another amount',
    weight: 1,
    play: (context) => after(sell(context), (it) => pay(context, it, { amount: Number(it.amount) - 1 })),
  },
  { name: 'simulate a payment', weight: 6, play: simulate },
  { name: 'pay a key', weight: 1, play: payKey },
  { name: 'cancel', weight: 2, play: (context) => after(sell(context), (it) => cancel(context, it)) },
  { name: 'cancel while it is paid', weight: 3, play: cancelWhilePaid },
  {
    name: 'pay what is cancelled',
    weight: 1,
    play: (context) => after(sell(context), (it) => cancel(context, it).then(() => pay(context, it))),
  },
  {
    name: 'let it expire',
    weight: 1,
    play: (context) => after(sell(context, { expiresIn: 1 }), (it) => becomes(context, it, 'EXPIRED')),
  },
  { name: 'pay around the end', weight: 3, play: payAroundTheEnd },
  { name: 'pay around the end, and cancel', weight: 3, play: endInEveryWay },
  { name: 'pay by card', weight: 3, play: earnByCard },
  { name: 'pay by card, and go', weight: 2, play: (context) => orderByCardOnce(context, cards.approved) },
  { name: 'pay by card twice', weight: 3, play: orderByCardTwice },
  {
    name: 'pay by a card that is declined',
    weight: 1,
    play: (context) => payByCard(context, cards.declined),
  },
  { name: 'pay by a second card', weight: 1, play: payBySecondCard },
  {
    name: 'pay by a card that is approved too late',
    weight: 1,
    play: (context) => payByCard(context, cards.approvedTooLate),
  },
  {
    name: 'pay by a card that is approved too late, and go',
    weight: 2,
    play: (context) => orderByCardOnce(context, cards.approvedTooLate),
  },
  {
    name: 'pay by a card that is declined too late',
    weight: 1,
    play: (context) => payByCard(context, cards.declinedTooLate),
  },
];
