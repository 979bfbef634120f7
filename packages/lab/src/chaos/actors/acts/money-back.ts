import { setTimeout as sleep } from 'node:timers/promises';
import { MIN_AMOUNT } from '@plataforma/kernel';
import type { Thing } from '../client.ts';
import { type Act, type ActContext, atBank, atOnce, given, until } from './act.ts';
import { balanceOf, inEnvironment, toKey, withdraw } from './money-out.ts';
import { earn, earnByCard } from './selling.ts';

interface Refund {
  amount?: number;
}

/**
 * Refunds a charge. A request with an Idempotency-Key is retried until it has an answer. A request without a
 * key is sent only once. If the outcome stays unknown, the act reads the charge.
 */
async function refund({ api, dice }: ActContext, { id }: Thing, { amount }: Refund = {}): Promise<void> {
  const path = `/v1/charges/${id}/refund`;
  const body = { ...(amount !== undefined && { amount }), reason: 'um item veio quebrado' };
  const request = { action: 'refund-charge', method: 'POST', path, body, intent: dice.uuid() } as const;
  const { status } = await api.ask({ ...request, again: dice.oneIn(3) ? 'never' : 'by key' });
  if (status === null || status >= 500) await api.read('read-charge', `/v1/charges/${id}`);
}

const sold = (context: ActContext) => (context.dice.oneIn(3) ? earnByCard(context) : earn(context));

/**
 * Sends three refunds in parallel. Each refund alone is valid, but all of them together exceed the payment.
 */
async function refundAtOnce(context: ActContext): Promise<void> {
  const charge = await sold(context);
  const amount = Math.ceil(Number(charge.amount) * 0.6);
  await atOnce(3, () => refund(context, charge, { amount }));
}

async function refundThatIsRefused(context: ActContext): Promise<void> {
  const charge = await earn(context);
  await atBank(context.bank, `/pix/${charge.txid}/refuse-refunds`);
  await refund(context, charge);
}

/** The acquirer refuses a refund and stores nothing about it. */
async function refundThatAcquirerRefuses(context: ActContext): Promise<void> {
  const charge = await earnByCard(context);
  await atBank(context.bank, `/cards/${charge.id}/refuse-refunds`);
  await refund(context, charge);
}

function openDispute({ operators, dice }: ActContext, { id }: Thing) {
  const body = { chargeId: id, reason: 'FRAUD', description: 'o titular não reconhece' };
  const request = { action: 'open-dispute', method: 'POST', path: '/v1/admin/disputes', body } as const;
  return operators[0].ask({ ...request, intent: dice.uuid(), again: 'by key' });
}

async function addFiles({ api, dice }: ActContext, disputeId: unknown): Promise<void> {
  for (let number = dice.int(1, 2); number > 0; number -= 1) {
    const intent = dice.uuid();
    const file = { name: `recibo ${number}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${intent}`) };
    const body = { purpose: 'dispute_evidence', disputeId };
    const request = { action: 'add-file', method: 'POST', path: '/v1/files', body, file } as const;
    await api.ask({ ...request, intent, again: 'by key' });
  }
}

const TO_THE_BANK_MS = 3_000;

/**
 * The merchant finds the dispute and may send evidence. Two operators then resolve the dispute in parallel,
 * possibly with different outcomes.
 */
async function decideDispute(context: ActContext, { id: chargeId }: Thing): Promise<void> {
  const { api, operators, dice } = context;
  const isAnswered = !dice.oneIn(3);
  const hasFiles = dice.oneIn(2);
  const outcomes = [0, 1].map(() => dice.pick(['MERCHANT', 'CUSTOMER', 'CANCELLED']));
  const intents = [dice.uuid(), dice.uuid(), dice.uuid()];
  const { id } = await until(async () => {
    const { list } = await api.read('list-disputes', '/v1/disputes?limit=100');
    return list.find((dispute) => dispute.chargeId === chargeId);
  });
  if (isAnswered) {
    if (hasFiles) await addFiles(context, id);
    const body = { description: 'entregue e assinado', documents: ['https://loja.test/recibo.pdf'] };
    const path = `/v1/disputes/${id}/evidence`;
    const request = { action: 'send-evidence', method: 'POST', path, body } as const;
    await api.ask({ ...request, intent: `${intents[2]}`, again: dice.oneIn(2) ? 'by key' : 'as it is' });
    // The pause is random, so that the evidence reaches the bank before the decision in some acts only.
    await sleep(dice.int(0, TO_THE_BANK_MS));
  }
  await atOnce(2, (number) => {
    const body = { outcome: outcomes[number - 1], resolution: 'decidido' };
    const path = `/v1/admin/disputes/${id}/resolve`;
    const request = { action: 'resolve-dispute', method: 'POST', path, body } as const;
    const operator = operators[number === 1 ? 0 : 1];
    return operator.ask({ ...request, intent: `${intents[number - 1]}`, again: 'as it is' });
  });
}

function contested({ dice }: ActContext, { amount }: Thing): Thing {
  return dice.oneIn(2) ? {} : { amount: dice.int(1, Number(amount)) };
}

async function contest(context: ActContext): Promise<void> {
  const { bank, dice } = context;
  const reason = dice.pick(['FRAUD', 'OPERATIONAL_FLAW']);
  const charge = await earn(context);
  const what = { reason, description: 'não fui eu', ...contested(context, charge) };
  await atBank(bank, `/pix/${charge.txid}/dispute`, what);
  await decideDispute(context, charge);
}

/** Refunds part of a charge, and then the payer disputes it. Only the remaining amount can be disputed. */
async function contestAfterRefund(context: ActContext): Promise<void> {
  const { bank, dice } = context;
  const share = dice.next();
  const charge = await earn(context);
  await refund(context, charge, { amount: Math.ceil(Number(charge.amount) * share) || 1 });
  await atBank(bank, `/pix/${charge.txid}/dispute`, contested(context, charge));
  await decideDispute(context, charge);
}

/** The amount that stays in the wallet for the withdrawal's fee. */
const REST = 200;

/**
 * Withdraws the money of a payment that the payer disputes afterwards. The merchant is then in debt until the
 * next payment.
 */
async function contestWhatIsSpent(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'sandbox');
  const charge = await earn(context);
  const amount = Math.max((await balanceOf(context)) - REST, MIN_AMOUNT);
  given(await withdraw(context, { ...toKey(context), amount }));
  try {
    await atBank(context.bank, `/pix/${charge.txid}/dispute`, { reason: 'FRAUD' });
    await decideDispute(context, charge);
  } finally {
    await earn(context, amount);
  }
}

async function chargeBack(context: ActContext): Promise<void> {
  const charge = await earnByCard(context);
  await atBank(context.bank, `/cards/${charge.id}/chargeback`, contested(context, charge));
  await decideDispute(context, charge);
}

async function disputeByOperator(context: ActContext): Promise<void> {
  const charge = await sold(context);
  await openDispute(context, charge);
  await decideDispute(context, charge);
}

async function refundWhileDisputed(context: ActContext): Promise<void> {
  const charge = await earn(context);
  await Promise.all([refund(context, charge), openDispute(context, charge)]);
}

async function refundAll(context: ActContext): Promise<void> {
  const isNet = context.dice.oneIn(2);
  const charge = await sold(context);
  await refund(context, charge, isNet ? {} : { amount: Number(charge.amount) });
}

async function refundPart(context: ActContext): Promise<void> {
  const share = context.dice.next();
  const charge = await sold(context);
  await refund(context, charge, { amount: Math.ceil(Number(charge.amount) * share) || 1 });
}

export const moneyBack: readonly Act[] = [
  { name: 'refund', weight: 2, play: refundAll },
  { name: 'refund a part', weight: 2, play: refundPart },
  { name: 'refund more than was paid, at once', weight: 3, play: refundAtOnce },
  { name: 'refund what the bank refuses', weight: 1, play: refundThatIsRefused },
  { name: 'refund what the acquirer refuses', weight: 2, play: refundThatAcquirerRefuses },
  { name: 'contest a Pix', weight: 3, play: contest },
  { name: 'contest what is partly refunded', weight: 1, play: contestAfterRefund },
  { name: 'contest what is spent', weight: 2, play: contestWhatIsSpent },
  { name: 'charge back a card', weight: 3, play: chargeBack },
  { name: 'dispute by an operator', weight: 1, play: disputeByOperator },
  { name: 'refund while it is disputed', weight: 2, play: refundWhileDisputed },
];
