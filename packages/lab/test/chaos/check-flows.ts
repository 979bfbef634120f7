import { randomUUID } from 'node:crypto';
import { eventually, operatorToken } from '@plataforma/testing';
import { z } from 'zod';
import type { CheckWorld, Client } from './check-world.ts';

export const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 100 };
const ACCOUNT = {
  type: 'BANK_ACCOUNT',
  bankCode: '341',
  branch: '0001',
  account: '123456-7',
  accountType: 'CHECKING',
  holderName: 'Maria da Silva',
  holderDocument: '12345678909',
};

/** Moves money once in every way that the platform offers, and waits until each movement is complete. */
export async function liveThroughADay(world: CheckWorld): Promise<void> {
  const { platform, bank, shop } = world;
  const { demo, operator: login } = platform.facts;
  const merchant = world.clientOf('merchant 1', { 'x-api-key': demo.sandboxKey });
  const accessToken = await operatorToken(platform.facts.baseUrl, login);
  const operator = world.clientOf('operator', { authorization: `Bearer ${accessToken}` });

  await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks/1` }, randomUUID());
  const deleted = await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks/2` });
  await merchant.delete(`/v1/webhook-config/${deleted.id}`);

  const plenty = await paid(world, merchant, 500_000);
  await merchant.post(`/v1/charges/${plenty.id}/refund`, { amount: 1_000 }, randomUUID());
  const twice = await charge(merchant, 2_500);
  await bank.control(`/pix/${twice.txid}/pay`, { times: 2 });
  const contested = await paid(world, merchant, 3_000);
  const notice = { chargeId: contested.id, reason: 'FRAUD', description: 'não fui eu' };
  const dispute = await operator.post('/v1/admin/disputes', notice, randomUUID());
  const loss = { outcome: 'CUSTOMER', resolution: 'não há comprovante' };
  await operator.post(`/v1/admin/disputes/${dispute.id}/resolve`, loss);
  await merchant.delete(`/v1/charges/${(await charge(merchant, 4_000)).id}`);
  const { id: merchantId } = await operator.get('/v1/admin/merchants');
  const gift = { merchantId, environment: 'sandbox', amount: 700, description: 'Estorno de tarifa' };
  await operator.post('/v1/admin/ledger/adjustments', gift, randomUUID());
  await withdraw(merchant, operator);
}

export async function charge(merchant: Client, amount: number, { expiresIn }: { expiresIn?: number } = {}) {
  const order = {
    amount,
    externalId: randomUUID(),
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
    ...(expiresIn && { expiresIn }),
  };
  const key = randomUUID();
  await merchant.post('/v1/charges', order, key);
  return merchant.post('/v1/charges', order, key);
}

export async function paid({ bank }: CheckWorld, merchant: Client, amount: number) {
  const { id, txid } = await charge(merchant, amount);
  await bank.control(`/pix/${txid}/pay`);
  return eventually(async () => {
    const now = await merchant.get(`/v1/charges/${id}`);
    const { totalEarned } = await merchant.get('/v1/balance');
    if (now.status !== 'PAID' || Number(totalEarned) < amount) throw new Error('it is not paid yet');
    return now;
  }, LONG_WAIT);
}

export async function payByCard(merchant: Client, number: string) {
  const cardToken = await tokenAt(await merchant.get('/v1/charges/card-config'), number);
  const order = { paymentMethod: 'CARD', cardToken, amount: 9_900, externalId: randomUUID() };
  const payer = { payerName: 'Maria', payerDocument: '12345678909' };
  // The same order is sent again, because a slow acquirer makes the first request time out.
  return eventually(() => merchant.post('/v1/charges', { ...order, ...payer }), LONG_WAIT);
}

export async function tokenAt(config: Record<string, unknown>, number: string): Promise<string> {
  const card = { number, holder_name: 'Maria', exp_month: 12, exp_year: 35, cvv: '123' };
  const response = await fetch(`${config.tokenizeUrl}?appId=${config.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://loja.test' },
    body: JSON.stringify({ type: 'card', card }),
  });
  return z.object({ id: z.string() }).parse(await response.json()).id;
}

async function withdraw(merchant: Client, operator: Client): Promise<void> {
  const key = randomUUID();
  const order = { amount: 20_000, pixKey: 'maria@loja.test', pixKeyType: 'EMAIL' };
  await merchant.post('/v1/withdrawals', order, key);
  await merchant.post('/v1/withdrawals', order, key);
  await merchant.post('/v1/withdrawals', { ...order, amount: 21_000, pixKey: 'fail@sandbox.test' });
  const { id: destinationId } = await merchant.post('/v1/destinations', ACCOUNT);
  const ted = { amount: 30_000, destinationId };
  const { id: rejected } = await merchant.post('/v1/withdrawals', ted, randomUUID());
  await operator.post(`/v1/admin/withdrawals/${rejected}/reject`, { reason: 'conta errada' });
  const { id: failed } = await merchant.post('/v1/withdrawals', ted, randomUUID());
  await end(operator, failed, { step: 'fail', body: { reason: 'conta encerrada', bankReference: 'DEV-1' } });
  const { id: sent } = await merchant.post('/v1/withdrawals', ted, randomUUID());
  await end(operator, sent, { step: 'complete', body: { providerTxId: 'TED-1' } });
  await merchant.delete(`/v1/destinations/${destinationId}`);
}

/** Approves a TED as the operator, and then records the outcome of the TED. */
async function end(
  operator: Client,
  id: unknown,
  { step, body }: { step: string; body: Record<string, unknown> },
) {
  await operator.post(`/v1/admin/withdrawals/${id}/approve`);
  await eventually(async () => {
    const { status } = await operator.get(`/v1/admin/withdrawals/${id}`);
    if (status !== 'PROCESSING') throw new Error(`the TED is ${status}`);
  }, LONG_WAIT);
  await operator.post(`/v1/admin/withdrawals/${id}/${step}`, body);
}
