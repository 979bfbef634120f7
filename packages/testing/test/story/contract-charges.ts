import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually, evidenceForm } from '../../src/index.ts';
import { CARD } from './bank.ts';
import { anOrder, type Client } from './client.ts';
import {
  available,
  become,
  cardOrder,
  made,
  newCharge,
  paidCharge,
  refuses,
  type Shop,
  toKey,
} from './contract-shop.ts';

export async function walkCharges({ merchant }: Shop): Promise<void> {
  const order = anOrder();
  const charge = await made(merchant.post('/v1/charges', order));
  const path = `/v1/charges/${charge.id}`;
  await become(merchant, path, 'PENDING');
  await refuses('EXTERNAL_ID_CONFLICT', merchant.post('/v1/charges', { ...order, amount: 99_900 }));
  await refuses('VALIDATION_ERROR', merchant.post('/v1/charges', anOrder({ amount: 1 })));
  await refuses('CHARGE_NOT_REFUNDABLE', merchant.post(`${path}/refund`));

  await made(merchant.post(`${path}/simulate-payment`));
  await become(merchant, path, 'PAID');
  await refuses('CHARGE_NOT_PAYABLE', merchant.post(`${path}/simulate-payment`));
  await refuses('CHARGE_NOT_PAYABLE', merchant.post(`/v1/sandbox${path.slice(3)}/pay`, {}));
  await refuses('CHARGE_NOT_CANCELLABLE', merchant.delete(path));
  await eventually(async () => void (await made(merchant.post(`${path}/refund`, { amount: 100 }))));
  await become(merchant, path, 'REFUNDED');

  await eventually(async () => {
    const cancelled = await newCharge(merchant);
    await made(merchant.delete(`/v1/charges/${cancelled.id}`));
    await become(merchant, `/v1/charges/${cancelled.id}`, 'CANCELLED');
  });
}

/**
 * Amounts in cents for which the sandbox provider refuses a refund, delays it, or delays and then refuses it.
 */
const MAGIC = { refused: 6_666, slow: 7_777, slowAndRefused: 8_888 } as const;

/** Causes refused, slow and failed refunds, and the errors that other requests get during a slow refund. */
export async function walkRefunds({ merchant }: Shop): Promise<void> {
  await Promise.all([walkRefusedRefund(merchant), walkSlowRefund(merchant), walkFailedRefund(merchant)]);
}

async function refundable(merchant: Client): Promise<string> {
  const { id } = await paidCharge(merchant, { amount: 20_000 });
  const quote = { type: 'refund', chargeId: id, amount: MAGIC.slowAndRefused };
  await eventually(async () =>
    expect((await merchant.post('/v1/quotes', quote)).data).toMatchObject({ stoppedBy: [] }),
  );
  return `/v1/charges/${id}`;
}

async function showsRefund(merchant: Client, path: string, status: string): Promise<void> {
  await eventually(async () =>
    expect((await merchant.get(path)).data).toMatchObject({ refunds: [{ status }] }),
  );
}

/**
 * On a busy machine the answer may be 202, because the refusal arrives later. The test then tries another
 * charge.
 */
async function walkRefusedRefund(merchant: Client): Promise<void> {
  const path = await eventually(async () => {
    const tried = await refundable(merchant);
    await refuses('REFUND_REFUSED', merchant.post(`${tried}/refund`, { amount: MAGIC.refused }));
    return tried;
  });
  await showsRefund(merchant, path, 'FAILED');
}

/**
 * On a busy machine the slow refund may end before the other requests are sent. The test then tries another
 * charge.
 */
async function walkSlowRefund(merchant: Client): Promise<void> {
  const path = await eventually(async () => {
    const tried = await refundable(merchant);
    const refunded = made(merchant.post(`${tried}/refund`, { amount: MAGIC.slow }));
    const meanwhile = async () => {
      await showsRefund(merchant, tried, 'PROCESSING');
      await refuses('REQUEST_IN_PROGRESS', merchant.post(`${tried}/refund`, { amount: 100 }));
      await refuses('REQUEST_IN_PROGRESS', merchant.post(`/v1/sandbox${tried.slice(3)}/dispute`, {}));
    };
    await Promise.all([refunded, meanwhile()]);
    return tried;
  });
  await become(merchant, path, 'REFUNDED');
}

async function walkFailedRefund(merchant: Client): Promise<void> {
  const path = await refundable(merchant);
  await made(merchant.post(`${path}/refund`, { amount: MAGIC.slowAndRefused }));
  await showsRefund(merchant, path, 'FAILED');
}

/** Causes an unmatched payment in each of its states. */
export async function walkUnexpected({ merchant }: Shop): Promise<void> {
  const ways: [object, string][] = [
    [{ times: 2 }, 'RETURNED'],
    [{ late: true }, 'RETURNED'],
    [{ amount: MAGIC.refused }, 'RETURN_REFUSED'],
    [{ amount: MAGIC.slow }, 'RETURNING'],
  ];
  await Promise.all(
    ways.map(async ([way, status]) => {
      const { id } = await newCharge(merchant);
      await made(merchant.post(`/v1/sandbox/charges/${id}/pay`, way));
      const list = `/v1/unexpected-payments?chargeId=${id}`;
      await eventually(async () => expect((await merchant.get(list)).list).toMatchObject([{ status }]));
      if ('late' in way) await become(merchant, `/v1/charges/${id}`, 'EXPIRED');
    }),
  );
}

/** Causes the possible answers to a card charge, and the error for a reused Idempotency-Key. */
export async function walkCards({ merchant }: Shop): Promise<void> {
  await made(merchant.post('/v1/charges', await cardOrder(merchant, CARD.approved)));
  await refuses(
    'CARD_DECLINED',
    merchant.post('/v1/charges', await cardOrder(merchant, CARD.insufficientFunds)),
  );
  const key = randomUUID();
  const late = merchant.post('/v1/charges', await cardOrder(merchant, CARD.approvedTooLate));
  await made(merchant.post('/v1/charges', anOrder(), key));
  await refuses('IDEMPOTENCY_CONFLICT', merchant.post('/v1/charges', anOrder(), key));
  await refuses('PROVIDER_UNAVAILABLE', late);
}

export async function walkEmptyWallet({ merchant }: Shop): Promise<void> {
  const { id } = await paidCharge(merchant, { amount: 5_000 });
  const has = await eventually(async () => {
    const amount = await available(merchant);
    expect(amount).toBeGreaterThan(4_000);
    return amount;
  });
  await refuses('INSUFFICIENT_BALANCE', merchant.post('/v1/withdrawals', toKey('caixa@loja.test', 90_000)));
  await made(merchant.post('/v1/withdrawals', toKey('caixa@loja.test', has)));
  await refuses('INSUFFICIENT_BALANCE', merchant.post(`/v1/charges/${id}/refund`));
}

async function disputed(merchant: Client): Promise<Record<string, unknown>> {
  const { id } = await paidCharge(merchant);
  const dispute = await made(merchant.post(`/v1/sandbox/charges/${id}/dispute`, {}));
  await become(merchant, `/v1/charges/${id}`, 'DISPUTED');
  return become(merchant, `/v1/disputes/${dispute.id}`, 'OPEN');
}

export async function walkDisputes({ merchant }: Shop): Promise<void> {
  const unpaid = await newCharge(merchant);
  await refuses('INVALID_STATE', merchant.post(`/v1/sandbox/charges/${unpaid.id}/dispute`, {}));
  const ends = { MERCHANT: 'RESOLVED_MERCHANT', CUSTOMER: 'RESOLVED_CUSTOMER', CANCELLED: 'CANCELLED' };
  await Promise.all(
    Object.entries(ends).map(async ([outcome, status]) => {
      const { id } = await disputed(merchant);
      await made(merchant.post(`/v1/sandbox/disputes/${id}/resolve`, { outcome }));
      await become(merchant, `/v1/disputes/${id}`, status);
      await refuses('INVALID_STATE', merchant.post(`/v1/sandbox/disputes/${id}/resolve`, { outcome }));
    }),
  );

  const { id } = await disputed(merchant);
  const form = () => evidenceForm(String(id));
  const file = await made(merchant.post('/v1/files', form()));
  for (let files = 1; files < 5; files += 1) await made(merchant.post('/v1/files', form()));
  await refuses('FILE_LIMIT_REACHED', merchant.post('/v1/files', form()));
  await made(merchant.post(`/v1/disputes/${id}/evidence`, { description: 'entregue' }));
  await become(merchant, `/v1/disputes/${id}`, 'UNDER_REVIEW');
  await refuses('INVALID_STATE', merchant.post(`/v1/disputes/${id}/evidence`, { description: 'entregue' }));
  await refuses('INVALID_STATE', merchant.post('/v1/files', form()));
  await refuses('INVALID_STATE', merchant.delete(`/v1/files/${file.id}`));
}
