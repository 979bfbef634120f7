import { setTimeout as sleep } from 'node:timers/promises';
import { MIN_AMOUNT } from '@plataforma/kernel';
import type { Thing } from '../client.ts';
import { type Act, atBank, atOnce, given, type Stage, until } from './act.ts';
import { balanceOf, inEnvironment, toKey, withdraw } from './money-out.ts';
import { earn, earnByCard } from './selling.ts';

interface Refund {
  amount?: number;
}

/** With a key it is asked for until there is an answer; without one, the charge is looked at instead. */
async function refund({ api, dice }: Stage, { id }: Thing, { amount }: Refund = {}): Promise<void> {
  const path = `/v1/charges/${id}/refund`;
  const body = { ...(amount !== undefined && { amount }), reason: 'um item veio quebrado' };
  const request = { action: 'refund-charge', method: 'POST', path, body, intent: dice.uuid() } as const;
  const { status } = await api.ask({ ...request, again: dice.oneIn(3) ? 'never' : 'by key' });
  if (status === null || status >= 500) await api.read('read-charge', `/v1/charges/${id}`);
}

const sold = (stage: Stage) => (stage.dice.oneIn(3) ? earnByCard(stage) : earn(stage));

/** Each could be; all together are more than was paid. */
async function refundAtOnce(stage: Stage): Promise<void> {
  const charge = await sold(stage);
  const amount = Math.ceil(Number(charge.amount) * 0.6);
  await atOnce(3, () => refund(stage, charge, { amount }));
}

async function refundThatIsRefused(stage: Stage): Promise<void> {
  const charge = await earn(stage);
  await atBank(stage.bank, `/pix/${charge.txid}/refuse-refunds`);
  await refund(stage, charge);
}

/** Of what it has refused an acquirer knows nothing. */
async function refundThatAcquirerRefuses(stage: Stage): Promise<void> {
  const charge = await earnByCard(stage);
  await atBank(stage.bank, `/cards/${charge.id}/refuse-refunds`);
  await refund(stage, charge);
}

function openDispute({ operators, dice }: Stage, { id }: Thing) {
  const body = { chargeId: id, reason: 'FRAUD', description: 'o titular não reconhece' };
  const request = { action: 'open-dispute', method: 'POST', path: '/v1/admin/disputes', body } as const;
  return operators[0].ask({ ...request, intent: dice.uuid(), again: 'by key' });
}

/** One or two files, each of its own bytes. */
async function addFiles({ api, dice }: Stage, disputeId: unknown): Promise<void> {
  for (let number = dice.int(1, 2); number > 0; number -= 1) {
    const intent = dice.uuid();
    const file = { name: `recibo ${number}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${intent}`) };
    const body = { purpose: 'dispute_evidence', disputeId };
    const request = { action: 'add-file', method: 'POST', path: '/v1/files', body, file } as const;
    await api.ask({ ...request, intent, again: 'by key' });
  }
}

/** So long evidence may take to get there. */
const TO_THE_BANK_MS = 3_000;

/** The merchant finds the dispute, and answers it or does not; two operators end it, not always alike. */
async function decideDispute(stage: Stage, { id: chargeId }: Thing): Promise<void> {
  const { api, operators, dice } = stage;
  const isAnswered = !dice.oneIn(3);
  const hasFiles = dice.oneIn(2);
  const outcomes = [0, 1].map(() => dice.pick(['MERCHANT', 'CUSTOMER', 'CANCELLED']));
  const intents = [dice.uuid(), dice.uuid(), dice.uuid()];
  const { id } = await until(async () => {
    const { list } = await api.read('list-disputes', '/v1/disputes?limit=100');
    return list.find((dispute) => dispute.chargeId === chargeId);
  });
  if (isAnswered) {
    if (hasFiles) await addFiles(stage, id);
    const body = { description: 'entregue e assinado', documents: ['https://loja.test/recibo.pdf'] };
    const path = `/v1/disputes/${id}/evidence`;
    const request = { action: 'send-evidence', method: 'POST', path, body } as const;
    await api.ask({ ...request, intent: `${intents[2]}`, again: dice.oneIn(2) ? 'by key' : 'as it is' });
    // Sometimes the bank has heard of it before anybody decides.
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

/** All of a payment, or a part of it. */
function contested({ dice }: Stage, { amount }: Thing): Thing {
  return dice.oneIn(2) ? {} : { amount: dice.int(1, Number(amount)) };
}

async function contest(stage: Stage): Promise<void> {
  const { bank, dice } = stage;
  const reason = dice.pick(['FRAUD', 'OPERATIONAL_FLAW']);
  const charge = await earn(stage);
  const what = { reason, description: 'não fui eu', ...contested(stage, charge) };
  await atBank(bank, `/pix/${charge.txid}/dispute`, what);
  await decideDispute(stage, charge);
}

/** No more of it can be disputed than has not gone back. */
async function contestAfterRefund(stage: Stage): Promise<void> {
  const { bank, dice } = stage;
  const share = dice.next();
  const charge = await earn(stage);
  await refund(stage, charge, { amount: Math.ceil(Number(charge.amount) * share) || 1 });
  await atBank(bank, `/pix/${charge.txid}/dispute`, contested(stage, charge));
  await decideDispute(stage, charge);
}

/** Left in the balance, for the fee. */
const REST = 200;

/** The money is out of the house when the payer wants it back: a debt, until there is money again. */
async function contestWhatIsSpent(anywhere: Stage): Promise<void> {
  const stage = inEnvironment(anywhere, 'sandbox');
  const charge = await earn(stage);
  const amount = Math.max((await balanceOf(stage)) - REST, MIN_AMOUNT);
  given(await withdraw(stage, { ...toKey(stage), amount }));
  try {
    await atBank(stage.bank, `/pix/${charge.txid}/dispute`, { reason: 'FRAUD' });
    await decideDispute(stage, charge);
  } finally {
    await earn(stage, amount);
  }
}

async function chargeBack(stage: Stage): Promise<void> {
  const charge = await earnByCard(stage);
  await atBank(stage.bank, `/cards/${charge.id}/chargeback`, contested(stage, charge));
  await decideDispute(stage, charge);
}

async function disputeByOperator(stage: Stage): Promise<void> {
  const charge = await sold(stage);
  await openDispute(stage, charge);
  await decideDispute(stage, charge);
}

async function refundWhileDisputed(stage: Stage): Promise<void> {
  const charge = await earn(stage);
  await Promise.all([refund(stage, charge), openDispute(stage, charge)]);
}

async function refundAll(stage: Stage): Promise<void> {
  const isNet = stage.dice.oneIn(2);
  const charge = await sold(stage);
  await refund(stage, charge, isNet ? {} : { amount: Number(charge.amount) });
}

async function refundPart(stage: Stage): Promise<void> {
  const share = stage.dice.next();
  const charge = await sold(stage);
  await refund(stage, charge, { amount: Math.ceil(Number(charge.amount) * share) || 1 });
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
