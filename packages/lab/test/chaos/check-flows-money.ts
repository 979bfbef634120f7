import { randomUUID } from 'node:crypto';
import { eventually, evidenceForm } from '@plataforma/testing';
import { charge, LONG_WAIT, paid, payByCard } from './check-flows.ts';
import type { CheckWorld, Client } from './check-world.ts';

const APPROVED_CARD = '4000000000000010';
/** The number of a card for which the acquirer takes two seconds. */
const LATE_CARD = '4000000000000051';

/** Creates unmatched payments, disputed payments and a card payment with a late decision. */
export async function liveThroughABadDay(world: CheckWorld): Promise<{ lateCharge: string }> {
  const { bank, platform } = world;
  const merchant = world.clientOf('merchant 1', { 'x-api-key': platform.facts.demo.sandboxKey });
  const short = await charge(merchant, 2_600);
  const { pixKey } = await merchant.post('/v1/withdrawals/decode-qr', { brCode: short.qrCode });
  await bank.control(`/pix/${short.txid}/pay`, { amount: 2_500 });
  await bank.control('/pix/pay', { pixKey, amount: 1_700 });
  const unrefundable = await charge(merchant, 2_700);
  await bank.control(`/pix/${unrefundable.txid}/refuse-refunds`);
  await bank.control(`/pix/${unrefundable.txid}/pay`, { times: 2 });
  await contest(world, merchant);
  await payLate(world, merchant);

  const late = await payByCard(merchant, LATE_CARD);
  await merchant.post(`/v1/charges/${late.id}/refund`, { amount: 900 }, randomUUID());
  const contested = await payByCard(merchant, APPROVED_CARD);
  await bank.control(`/cards/${contested.id}/chargeback`);
  await disputeOf(merchant, contested);
  return { lateCharge: String(late.id) };
}

async function contest(world: CheckWorld, merchant: Client): Promise<void> {
  const contested = await paid(world, merchant, 2_800);
  await world.bank.control(`/pix/${contested.txid}/dispute`, { amount: 1_800 });
  const { id } = await disputeOf(merchant, contested);
  const side = { description: 'entregue e assinado', documents: ['https://loja.test/recibo.pdf'] };
  await merchant.post('/v1/files', evidenceForm(String(id)), randomUUID());
  await merchant.post(`/v1/disputes/${id}/evidence`, side, randomUUID());
}

async function payLate({ bank }: CheckWorld, merchant: Client): Promise<void> {
  const { id, txid } = await charge(merchant, 2_900, { expiresIn: 1 });
  await eventually(async () => {
    const { status } = await merchant.get(`/v1/charges/${id}`);
    if (status !== 'EXPIRED') throw new Error(`it is ${status}`);
  }, LONG_WAIT);
  await bank.control(`/pix/${txid}/pay`);
}

function disputeOf(merchant: Client, { id }: Record<string, unknown>) {
  return eventually(async () => {
    const dispute = await merchant.get('/v1/disputes');
    if (dispute.chargeId !== id) throw new Error('there is no dispute yet');
    return dispute;
  }, LONG_WAIT);
}
