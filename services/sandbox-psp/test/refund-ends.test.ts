import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startSandboxPsp } from '../src/service.ts';
import { askControl, control, readCharge, sharedBankWorld, truthOf } from './bank.ts';
import { pix, pixConsultados, webhookPix } from './published-shapes.ts';
import { paidCharge, refundsAt } from './refunding.ts';

const bank = sharedBankWorld();
const { paid, refund, ends } = refundsAt(bank);

function callbacksOf(e2eid: string) {
  return bank.receiver.deliveries
    .filter(({ body }) => body.includes(e2eid))
    .flatMap(({ body }) => webhookPix.parse(JSON.parse(body.toString())).pix);
}

describe('a payment with refunds', () => {
  test('shows the refunds in every response', async () => {
    const { txid, e2eid } = await paid();
    await refund(e2eid, 'first', { valor: '1.00' });
    await refund(e2eid, 'second', { valor: '2.00' });
    const first = await ends(e2eid, 'first', 'DEVOLVIDO');
    const second = await ends(e2eid, 'second', 'DEVOLVIDO');

    const period = 'inicio=2020-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z';
    const listed = pixConsultados.parse((await bank.call('GET', `/v2/pix?${period}&txid=${txid}`)).body);
    const single = pix.parse((await bank.call('GET', `/v2/pix/${e2eid}`)).body);
    const charge = await readCharge(bank, txid);
    const truth = await truthOf(bank, txid);

    expect(single.devolucoes).toEqual([first, second]);
    expect(listed.pix).toEqual([single]);
    expect(charge.pix).toEqual([single]);
    expect(truth.refunds).toEqual(
      [first, second].map((it) => ({ clientId: 'shop', endToEndId: e2eid, txid, ...it })),
    );
  });

  test('is reported once for each ended refund', async () => {
    const { e2eid } = await paid();
    await refund(e2eid, 'a', { valor: '1.00' });
    await ends(e2eid, 'a', 'DEVOLVIDO');
    await refund(e2eid, 'b', { valor: '2.00' });

    const callbacks = await eventually(() => {
      const received = callbacksOf(e2eid);
      expect(received).toHaveLength(2);
      return received;
    });

    const states = callbacks.map(({ devolucoes = [] }) =>
      devolucoes.map(({ id, status }) => `${id} ${status}`),
    );
    expect(states.sort()).toEqual([['a DEVOLVIDO'], ['a DEVOLVIDO', 'b DEVOLVIDO']]);
    expect(callbacks.at(-1)).toMatchObject({ endToEndId: e2eid, valor: '37.00' });
  });
});

describe('the amount of a refund', () => {
  test.each([
    ['66.66', 'NAO_REALIZADO'],
    ['10.00', 'DEVOLVIDO'],
  ])('of %s makes it end %s', async (valor, status) => {
    const { e2eid } = await paidCharge(bank, '100.00');

    await refund(e2eid, 'magic', { valor });

    await ends(e2eid, 'magic', status);
  });

  test.each(['77.77', '88.88'])('of %s leaves it in process while others end', async (valor) => {
    const { e2eid } = await paidCharge(bank, '100.00');
    await refund(e2eid, 'slow', { valor });
    await refund(e2eid, 'usual', { valor: '10.00' });

    await ends(e2eid, 'usual', 'DEVOLVIDO');

    await ends(e2eid, 'slow', 'EM_PROCESSAMENTO');
  });
});

describe('a charge that refuses refunds', () => {
  test('fails later refunds and releases their amount', async () => {
    const { txid, e2eid } = await paid();
    await refund(e2eid, 'before', { valor: '7.00' });
    expect(await control(bank, `pix/${txid}/refuse-refunds`)).toEqual({ refusesRefunds: true });
    await refund(e2eid, 'after', { valor: '30.00' });

    await ends(e2eid, 'before', 'DEVOLVIDO');
    const refused = await ends(e2eid, 'after', 'NAO_REALIZADO');

    expect(refused.motivo).toEqual(expect.any(String));
    expect(refused.horario.liquidacao).toBeUndefined();
    expect((await refund(e2eid, 'retry', { valor: '30.00' })).status).toBe(201);
    await eventually(() =>
      expect(
        callbacksOf(e2eid)
          .at(-1)
          ?.devolucoes?.map(({ status }) => status),
      ).toContain('NAO_REALIZADO'),
    );
  });

  test('must exist', async () => {
    expect((await askControl(bank, 'pix/nobody/refuse-refunds')).status).toBe(404);
  });
});

test('two replicas end every refund once', async () => {
  const second = await startSandboxPsp(bank.env);
  const payments = await Promise.all(Array.from({ length: 30 }, paid));
  await Promise.all(
    payments.flatMap(({ e2eid }) => [1, 2, 3].map((id) => refund(e2eid, String(id), { valor: '1.00' }))),
  );

  for (const { e2eid } of payments) {
    await eventually(() => expect(callbacksOf(e2eid)).toHaveLength(3));
    const last = callbacksOf(e2eid).map(
      ({ devolucoes = [] }) => devolucoes.filter(({ status }) => status === 'DEVOLVIDO').length,
    );
    expect(last.sort()).toEqual([1, 2, 3]);
  }
  await second.stop();
});
