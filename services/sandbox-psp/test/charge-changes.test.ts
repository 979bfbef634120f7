import { describe, expect, test } from '@jest/globals';
import {
  createCharge,
  newTxid,
  OTHER,
  order,
  pay,
  problem,
  problemIn,
  readCharge,
  removal,
  sharedBankWorld,
} from './bank.ts';
import { cobGerada } from './published-shapes.ts';

const bank = sharedBankWorld();

describe('PATCH /v2/cob/{txid}', () => {
  test('removes an active charge', async () => {
    const charge = await createCharge(bank);
    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, removal);

    expect(answer.status).toBe(200);
    expect(cobGerada.parse(answer.body)).toEqual({ ...charge, ...removal, revisao: 1 });
  });

  test('changes only the given fields', async () => {
    const charge = await createCharge(bank);
    const changes = {
      valor: { original: '99.90' },
      solicitacaoPagador: 'Mesa 7',
      devedor: { cnpj: '00038166000105', nome: 'Empresa SA' },
    };

    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, changes);

    expect(answer.status).toBe(200);
    expect(cobGerada.parse(answer.body)).toEqual({ ...charge, ...changes, revisao: 1 });
  });

  test.each([{}, { valor: order.valor }, { calendario: {} }])(
    'makes no revision for %j without changes',
    async (body) => {
      const charge = await createCharge(bank);
      const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, body);

      expect(answer.body).toEqual(charge);
    },
  );

  test.each([
    ['removal with other changes', { ...removal, valor: { original: '1.00' } }, 'cob.status'],
    ['a forbidden status', { status: 'CONCLUIDA' }, 'cob.status'],
    ['an amount of zero', { valor: { original: '0.00' } }, 'cob.valor.original'],
    ['another client’s key', { chave: OTHER.pixKey }, 'cob.chave'],
    ['an unsupported field', { loc: { id: 1 } }, 'cob.loc'],
  ])('%s is reported as a violation', async (_case, body, field) => {
    const charge = await createCharge(bank);
    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, body);

    expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida', [field]));
    expect(await readCharge(bank, charge.txid)).toEqual(charge);
  });

  test.each([removal, { valor: { original: '1.00' } }])('%j is refused for a paid charge', async (body) => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid);

    const answer = await bank.call('PATCH', `/v2/cob/${txid}`, body);

    expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida'));
  });

  test('a second removal is refused', async () => {
    const { txid } = await createCharge(bank);
    await bank.call('PATCH', `/v2/cob/${txid}`, removal);

    expect(problemIn(await bank.call('PATCH', `/v2/cob/${txid}`, removal))).toEqual(
      problem(400, 'CobOperacaoInvalida'),
    );
  });

  test('an unknown charge is not found', async () => {
    const answer = await bank.call('PATCH', `/v2/cob/${newTxid()}`, removal);

    expect(problemIn(answer)).toEqual(problem(404, 'CobNaoEncontrado'));
  });
});
