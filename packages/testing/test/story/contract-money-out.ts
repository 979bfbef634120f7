import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../src/index.ts';
import type { Client } from './client.ts';
import { become, earn, made, newCharge, paidCharge, refuses, type Shop, toKey } from './contract-shop.ts';

const UNPAID = 'hold@sandbox.test';
const bankAccount = {
  type: 'BANK_ACCOUNT',
  bankCode: '341',
  branch: '0001',
  account: '12345-6',
  accountType: 'CHECKING',
  holderName: 'Maria da Silva',
  holderDocument: '12345678909',
};
const MOST_DESTINATIONS = 1_000;
const AT_ONCE = 20;

export async function walkWithdrawals({ merchant }: Shop): Promise<void> {
  await earn(merchant, 50_000);
  await Promise.all([walkPix(merchant), walkTed(merchant), walkRefusals(merchant)]);
}

async function walkPix(merchant: Client): Promise<void> {
  const order = async (key: string) => (await made(merchant.post('/v1/withdrawals', toKey(key)))).id;
  const [paid, rejected, failed] = await Promise.all([
    order(UNPAID),
    order(UNPAID),
    order('fail@sandbox.test'),
  ]);
  await become(merchant, `/v1/withdrawals/${paid}`, 'PENDING');
  await made(merchant.post(`/v1/sandbox/withdrawals/${paid}/approve`));
  await made(merchant.post(`/v1/sandbox/withdrawals/${rejected}/reject`, {}));
  await eventually(async () =>
    become(merchant, `/v1/withdrawals/${await order('slow@sandbox.test')}`, 'PROCESSING'),
  );
  await become(merchant, `/v1/withdrawals/${rejected}`, 'REJECTED');
  await become(merchant, `/v1/withdrawals/${failed}`, 'FAILED');
  await become(merchant, `/v1/withdrawals/${paid}`, 'COMPLETED');
  for (const step of ['hold', 'approve', 'reject', 'complete', 'fail'])
    await refuses('INVALID_STATE', merchant.post(`/v1/sandbox/withdrawals/${paid}/${step}`, {}));
  await refuses('INVALID_STATE', merchant.delete(`/v1/withdrawals/${paid}`));
}

/** The test retries until it reads the state APPROVED, which lasts only a moment. */
async function walkTed(merchant: Client): Promise<void> {
  const { id: destinationId } = await made(merchant.post('/v1/destinations', bankAccount));
  await eventually(async () => {
    const { id } = await made(merchant.post('/v1/withdrawals', { amount: 1_000, destinationId }));
    const path = `/v1/withdrawals/${id}`;
    const approved = merchant.post(`/v1/sandbox${path.slice(3)}/approve`);
    let isApproved = false;
    for (let looks = 0; looks < 50 && !isApproved; looks += 1) {
      const { status } = (await merchant.get(path)).data;
      isApproved = status === 'APPROVED';
      if (status !== 'PENDING') break;
      await sleep(5);
    }
    await made(approved);
    await made(merchant.post(`/v1/sandbox${path.slice(3)}/complete`, {}));
    await become(merchant, path, 'COMPLETED');
    if (!isApproved) throw new Error('it was never APPROVED');
  });
}

async function walkRefusals(merchant: Client): Promise<void> {
  const order = toKey(UNPAID);
  await made(merchant.post('/v1/withdrawals', order));
  await refuses('EXTERNAL_ID_CONFLICT', merchant.post('/v1/withdrawals', { ...order, amount: 1_001 }));
  const ownerOf = (pixKey: string) => merchant.get(`/v1/withdrawals/recipient?pixKey=${pixKey}`);
  await refuses('PIX_KEY_NOT_FOUND', ownerOf('invalid@sandbox.test'));
  await refuses('PROVIDER_UNAVAILABLE', ownerOf('down@sandbox.test'));
  await refuses('INVALID_QR_CODE', merchant.post('/v1/withdrawals/decode-qr', { brCode: 'nenhum' }));
  const { qrCode } = await paidCharge(merchant);
  await refuses('QR_CODE_UNRESOLVABLE', merchant.post('/v1/withdrawals/decode-qr', { brCode: qrCode }));
  const { qrCode: brCode } = await newCharge(merchant);
  await made(merchant.post('/v1/withdrawals/decode-qr', { brCode }));
}

export async function walkDestinations({ merchant }: Shop): Promise<void> {
  const addKey = (number: number) =>
    merchant.post('/v1/destinations', { type: 'PIX', pixKey: `n${number}@loja.test`, pixKeyType: 'EMAIL' });
  for (let count = 0; count < MOST_DESTINATIONS; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => made(addKey(count + index))));
  await refuses('DESTINATION_LIMIT_REACHED', addKey(MOST_DESTINATIONS));
}
