import { beforeAll, describe, expect, test } from '@jest/globals';
import { soundWorld } from '../support/books.ts';
import { paid, paidByCard, withdrawalOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';
import { availableStatement, DUE } from './support/available.ts';
import { aggregatesAt, elementsOf, readOfx } from './support/ofx.ts';

const world = soundWorld(sharedWorld);

const { read, fileOf, untilSettled } = availableStatement(world);

describe('a file of the available balance', () => {
  const tenant = newTenant();
  const period = `&startDate=2020-01-01&timeZone=America/Sao_Paulo&order=asc`;

  beforeAll(async () => {
    const sold = paidByCard(tenant, {
      amount: 10_000,
      feeAmount: 100,
      settlesAt: DUE,
      externalId: 'pedido-7',
    });
    const pending = paidByCard(tenant, { amount: 10_000, feeAmount: 100 });
    await world.deliver(paid(tenant, { externalId: 'pedido-8' }), pending, sold);
    await untilSettled(tenant, 9_900);
    await world.withdraw({ ...withdrawalOf(tenant).order, externalId: 'saque-1' });
  });

  test('in pt-BR lists the rows between opening and closing balance', async () => {
    const lines = (await fileOf(tenant, `${period}&locale=pt-BR`)).toString().split('\r\n');

    const cells = lines.map((line) => line.split(';'));
    expect(cells[0]).toEqual(expect.arrayContaining(['Valor bruto (R$)', 'Tarifa (R$)']));
    expect(cells.slice(1, -1).map((line) => line.slice(1, 5))).toEqual([
      ['Saldo inicial', '', '', '0,00'],
      ['Recebimento', '"Cobrança por Pix pedido-8"', '24,75', '24,75'],
      ['Liquidação de cartão', '"Recebimento de venda no cartão pedido-7"', '99,00', '123,75'],
      ['Saque', '"Saque por Pix saque-1"', '-11,00', '112,75'],
      ['Saldo final', '', '', '112,75'],
    ]);
    const [gross, fee] = ['Valor bruto (R$)', 'Tarifa (R$)'].map((head) => cells[0]?.indexOf(head) ?? 0);
    expect(cells.slice(2, -2).map((line) => [line[gross ?? 0], line[fee ?? 0]])).toEqual([
      ['25,00', '0,25'],
      ['', ''],
      ['-10,00', '1,00'],
    ]);
  });

  test('without a locale has the columns of the statement', async () => {
    const [head, ...lines] = (await fileOf(tenant, period)).toString().trim().split('\r\n');

    expect(head).toMatch(/^id,createdAt,type,description,amount,amountDecimal,.*,withdrawalId$/);
    expect(lines.map((line) => line.split(',')[2])).toEqual(['PAYMENT', 'SETTLEMENT', 'WITHDRAWAL']);
  });

  test('as OFX has its own ids and no future days', async () => {
    const { root } = readOfx(await fileOf(tenant, `${period}&endDate=2099-01-01`, 'application/x-ofx'));
    const at = (...path: string[]) =>
      aggregatesAt(root, 'BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS', ...path).map(elementsOf);
    const rows = at('BANKTRANLIST', 'STMTTRN');
    const server = aggregatesAt(root, 'SIGNONMSGSRSV1', 'SONRS').map(elementsOf)[0]?.DTSERVER;

    expect(rows).toMatchObject([
      { TRNTYPE: 'CREDIT', TRNAMT: '24.75', NAME: 'Recebimento' },
      { TRNTYPE: 'CREDIT', TRNAMT: '99.00', NAME: 'Liquidação de cartão' },
      { TRNTYPE: 'XFER', TRNAMT: '-11.00', NAME: 'Saque' },
    ]);
    expect(rows.map(({ MEMO }) => MEMO)).toEqual([
      'Cobrança por Pix pedido-8 (bruto 25,00, tarifa 0,25)',
      'Recebimento de venda no cartão pedido-7',
      expect.stringMatching(/^Saque por Pix saque-1 .* \(bruto -10,00, tarifa 1,00\)$/),
    ]);
    const balance = { BALAMT: '112.75', DTASOF: server };
    expect([...at('LEDGERBAL'), ...at('AVAILBAL')]).toEqual([balance, balance]);
    const ids = (await world.readRows(tenant, '/v1/statement?limit=100')).rows.map(({ id }) => id);
    expect(ids.filter((id) => rows.some(({ FITID }) => FITID === id))).toEqual([]);
    expect((await read(tenant)).data.map(({ id }) => id)).toEqual(rows.map(({ FITID }) => FITID));
  });

  test('is complete over many batches in both orders', async () => {
    const many = newTenant();
    await world.deliver(...Array.from({ length: 230 }, () => paid(many, { amount: 100, feeAmount: 0 })));
    for (const order of ['asc', 'desc']) {
      const lines = (await fileOf(many, `&order=${order}`)).toString().trim().split('\r\n').slice(1);

      const balances = lines.map((line) => Number(line.split(',')[6]));
      const expected = Array.from({ length: 230 }, (_, index) => 100 * (index + 1));
      expect(balances).toEqual(order === 'asc' ? expected : expected.toReversed());
      expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(230);
    }
  });
});
