import { describe, expect, test } from '@jest/globals';
import { control, createCharge, pay, readCharge, sharedBankWorld } from './bank.ts';

const bank = sharedBankWorld();

describe('a control order with an id', () => {
  test('is paid once when it arrives five times at once', async () => {
    const { txid } = await createCharge(bank);
    const order = { orderId: crypto.randomUUID(), times: 2 };

    const orders = await Promise.all(Array.from({ length: 5 }, () => pay(bank, txid, order)));

    expect(new Set(orders.flat().map(({ endToEndId }) => endToEndId)).size).toBe(2);
    expect(orders).toEqual(Array(5).fill(orders[0]));
    expect((await readCharge(bank, txid)).pix).toHaveLength(2);
  });

  test('opens one dispute for four requests, and refuses another', async () => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid, { notify: false });
    const report = (orderId: string) => control(bank, `pix/${txid}/dispute`, { orderId });
    const orderId = crypto.randomUUID();

    const reports = await Promise.all(Array.from({ length: 4 }, () => report(orderId)));

    expect(reports).toEqual(Array(4).fill({ idInfracao: orderId }));
    await expect(report(crypto.randomUUID())).rejects.toThrow(/409.*disputed already/);
  });

  test('disputes a payment of its own charge only', async () => {
    const [{ txid }, other] = [await createCharge(bank), await createCharge(bank)];
    const [, second] = await pay(bank, txid, { times: 2 });
    const [foreign] = await pay(bank, other.txid);
    const report = (endToEndId?: string) => control(bank, `pix/${txid}/dispute`, { endToEndId });

    await expect(report(foreign?.endToEndId)).rejects.toThrow(/409.*this charge was not paid/);
    await report(second?.endToEndId);
    await expect(report(second?.endToEndId)).rejects.toThrow(/409.*disputed already/);
    await report();
  });
});
