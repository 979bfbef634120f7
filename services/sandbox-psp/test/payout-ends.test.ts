import { describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { askControl, control, newTxid, SHOP, sharedBankWorld } from './bank.ts';
import { sentPix } from './payout-shapes.ts';

const bank = sharedBankWorld();

const pay = (id: string, chave = 'maria@example.com') => {
  const body = { valor: '12.34', pagador: { chave: SHOP.pixKey }, favorecido: { chave } };
  return bank.call('PUT', `/v3/gn/pix/${id}`, body);
};
const order = (id: string, end: string) => control(bank, `payouts/${id}/end`, { end });
const refused = async (id: string, end: string) =>
  (await askControl(bank, `payouts/${id}/end`, { end })).status;

async function statusOf(id: string) {
  return sentPix.parse((await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).body).status;
}
const becomes = (id: string, status: string) =>
  eventually(async () => expect(await statusOf(id)).toBe(status));

describe('a payout with an ordered end', () => {
  test.each([
    ['complete', 'fail@sandbox.test', 'REALIZADO'],
    ['fail', 'maria@example.com', 'NAO_REALIZADO'],
  ])('ordered in advance ends by `%s` in spite of its key', async (end, key, status) => {
    const id = newTxid();
    await order(id, end);

    await pay(id, key);

    await becomes(id, status);
  });

  test.each([
    ['complete', 'REALIZADO'],
    ['fail', 'NAO_REALIZADO'],
  ])('waits while others end, and then ends by `%s`', async (end, status) => {
    const [id, other] = [newTxid(), newTxid()];
    await order(id, 'hold');
    await pay(id);
    await pay(other);
    await becomes(other, 'REALIZADO');
    const before = await statusOf(id);

    await order(id, end);

    expect(before).toBe('EM_PROCESSAMENTO');
    await becomes(id, status);
    expect(await refused(id, 'fail')).toBe(409);
  });

  test('to a slow key can be stopped and then completed', async () => {
    const id = newTxid();
    await pay(id, 'slow@sandbox.test');

    await order(id, 'hold');
    await order(id, 'complete');

    await becomes(id, 'REALIZADO');
  });

  test('ends as ordered when both requests arrive at once', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const id = newTxid();
      const [, answer] = await Promise.all([
        pay(id, 'slow@sandbox.test'),
        askControl(bank, `payouts/${id}/end`, { end: 'fail' }),
      ]);
      expect(answer.status).toBe(200);
      await becomes(id, 'NAO_REALIZADO');
    }
  });

  test('requires a valid id and a valid end', async () => {
    expect(await refused('não', 'fail')).toBe(404);
    expect(await refused(newTxid(), 'vanish')).toBe(400);
  });
});
