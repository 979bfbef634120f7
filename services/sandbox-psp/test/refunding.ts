import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Bank, createCharge, order, pay } from './bank.ts';
import { devolucao } from './published-shapes.ts';

/** Creates a charge and pays it. The default amount is 37.00. */
export async function paidCharge(bank: Bank, original = '37.00') {
  const { txid } = await createCharge(bank, { ...order, valor: { original } });
  const [payment] = await pay(bank, txid, { notify: false });
  if (!payment) throw new Error('nothing was paid');
  return { txid, e2eid: payment.endToEndId };
}

export const refundPath = (e2eid: string, id: string) => `/v2/pix/${e2eid}/devolucao/${id}`;

/** Returns functions that pay a charge, order a refund, and wait until the refund has ended. */
export const refundsAt = (bank: Bank) => ({
  paid: () => paidCharge(bank),
  refund: (e2eid: string, id: string, body: unknown) => bank.call('PUT', refundPath(e2eid, id), body),
  ends: (e2eid: string, id: string, status: string) =>
    eventually(async () => {
      const ended = devolucao.parse((await bank.call('GET', refundPath(e2eid, id))).body);
      expect(ended.status).toBe(status);
      return ended;
    }),
});
