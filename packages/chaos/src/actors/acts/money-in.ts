import { setTimeout as sleep } from 'node:timers/promises';
import type { Thing } from '../client.ts';
import { type Act, atBank, atOnce, given, type Stage } from './act.ts';
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

function cancel({ api, dice }: Stage, { id }: Thing) {
  const request = { action: 'cancel-charge', method: 'DELETE', path: `/v1/charges/${id}` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/** Twice in the same moment: one order. And once more for another amount, which is refused. */
async function orderTwice({ api, dice }: Stage): Promise<void> {
  const order = anOrder(dice);
  const request = charging(dice, order);
  const other = {
    ...charging(dice, { ...order, amount: Number(order.amount) + 1 }),
    action: 'reuse-order-id',
  };
  await atOnce(2, () => api.ask(request));
  await api.ask(other);
}

async function simulate({ merchant, dice }: Stage): Promise<void> {
  const api = merchant.api.sandbox;
  const { id } = await sell({ api, dice });
  const path = `/v1/charges/${id}/simulate-payment`;
  const request = { action: 'simulate-payment', method: 'POST', path } as const;
  await api.ask({ ...request, intent: dice.uuid(), again: dice.oneIn(2) ? 'by key' : 'as it is' });
}

/** Our key at the bank is no secret: it stands in every code. */
async function payKey(stage: Stage): Promise<void> {
  const { api, bank, dice } = stage;
  const amount = dice.int(100, 5_000);
  const txid = dice.oneIn(2) ? { txid: `balcao${dice.int(1, 999)}` } : {};
  const intent = dice.uuid();
  const { qrCode } = await sell(stage);
  const request = { action: 'decode-qr', method: 'POST', path: '/v1/withdrawals/decode-qr' } as const;
  const { pixKey } = given(
    await api.ask({ ...request, body: { brCode: qrCode }, intent, again: 'as it is' }),
  );
  await atBank(bank, '/pix/pay', { pixKey, amount, ...txid });
}

/** The payment comes before the end, at it, or after it. */
async function payAroundTheEnd(stage: Stage): Promise<void> {
  const expiresIn = stage.dice.int(1, 3);
  const lateMs = stage.dice.int(-SECOND_MS / 2, 2 * SECOND_MS);
  const charge = await sell(stage, { expiresIn });
  await sleep(expiresIn * SECOND_MS + lateMs);
  await pay(stage, charge);
  await becomes(stage, charge, 'PAID', 'EXPIRED');
}

async function cancelWhilePaid(stage: Stage): Promise<void> {
  const charge = await sell(stage);
  await Promise.all([cancel(stage, charge), pay(stage, charge)]);
  await becomes(stage, charge, 'PAID', 'CANCELLED');
}

async function payByCard(stage: Stage, number: string): Promise<void> {
  await stage.api.ask(charging(stage.dice, await aCardOrder(stage, number)));
}

/** The order number is free again for another card. */
async function payBySecondCard(stage: Stage): Promise<void> {
  const order = await aCardOrder(stage, cards.declined);
  await stage.api.ask(charging(stage.dice, order));
  const cardToken = await tokenize(stage.api, cards.approved);
  await stage.api.ask(charging(stage.dice, { ...order, cardToken }));
}

async function after(making: Promise<Thing>, next: (charge: Thing) => Promise<unknown>): Promise<void> {
  await next(await making);
}

export const moneyIn: readonly Act[] = [
  { name: 'pay a charge', weight: 6, play: (stage) => earn(stage) },
  { name: 'order twice', weight: 2, play: orderTwice },
  { name: 'pay twice', weight: 2, play: (stage) => after(sell(stage), (it) => pay(stage, it, { times: 2 })) },
  {
    name: 'pay without a callback',
    weight: 2,
    play: (stage) => after(sell(stage), (it) => pay(stage, it, { notify: false })),
  },
  {
    name: 'pay another amount',
    weight: 1,
    play: (stage) => after(sell(stage), (it) => pay(stage, it, { amount: Number(it.amount) - 1 })),
  },
  { name: 'simulate a payment', weight: 3, play: simulate },
  { name: 'pay a key', weight: 1, play: payKey },
  { name: 'cancel', weight: 2, play: (stage) => after(sell(stage), (it) => cancel(stage, it)) },
  { name: 'cancel while it is paid', weight: 3, play: cancelWhilePaid },
  {
    name: 'pay what is cancelled',
    weight: 1,
    play: (stage) => after(sell(stage), (it) => cancel(stage, it).then(() => pay(stage, it))),
  },
  {
    name: 'let it expire',
    weight: 1,
    play: (stage) => after(sell(stage, { expiresIn: 1 }), (it) => becomes(stage, it, 'EXPIRED')),
  },
  { name: 'pay around the end', weight: 3, play: payAroundTheEnd },
  { name: 'pay by card', weight: 3, play: earnByCard },
  { name: 'pay by a card that is declined', weight: 1, play: (stage) => payByCard(stage, cards.declined) },
  { name: 'pay by a second card', weight: 1, play: payBySecondCard },
  {
    name: 'pay by a card that is approved too late',
    weight: 1,
    play: (stage) => payByCard(stage, cards.approvedTooLate),
  },
  {
    name: 'pay by a card that is declined too late',
    weight: 1,
    play: (stage) => payByCard(stage, cards.declinedTooLate),
  },
];
