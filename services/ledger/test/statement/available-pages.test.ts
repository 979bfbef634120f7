import { beforeAll, describe, expect, test } from '@jest/globals';
import { addDays, dayOf, newId, type TimeZone } from '@plataforma/kernel';
import { soundWorld } from '../support/books.ts';
import { paid, paidByCard, withdrawalOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';
import { availableStatement, DUE } from './support/available.ts';
import { aggregatesAt, elementsOf, readOfx } from './support/ofx.ts';

const world = soundWorld(sharedWorld);

const { fileOf, move, pathOf, read, untilSettled } = availableStatement(world);

describe('a period of the available balance', () => {
  const tenant = newTenant();
  const rowsIn = (query: string) => read(tenant, `&order=asc&limit=100${query}`);

  beforeAll(async () => {
    for (const days of [1, 2, 3, 5]) {
      await move(tenant, days);
      await world.deliver(paid(tenant, { amount: days * 1_000, feeAmount: 0 }));
    }
  });

  test.each<TimeZone>(['UTC', 'America/Sao_Paulo', 'America/Rio_Branco'])(
    'in %s has adjoining days with their own rows',
    async (timeZone) => {
      const { data } = await rowsIn('');
      const first = dayOf(new Date(), timeZone);
      let opening = 0;
      for (let date = first; date <= addDays(first, 6); date = addDays(date, 1)) {
        const day = await rowsIn(`&startDate=${date}&endDate=${date}&timeZone=${timeZone}`);
        const own = data.filter(({ createdAt }) => dayOf(new Date(createdAt), timeZone) === date);
        expect(day.data).toEqual(own);
        expect(day.meta.openingBalance).toBe(opening);
        opening = own.reduce((sum, { amount }) => sum + amount, opening);
        expect(day.meta.closingBalance).toBe(opening);
      }
      expect(opening).toBe(11_000);
    },
  );

  test('includes its first and last millisecond', async () => {
    const { data } = await rowsIn('');
    const [second, third] = [data[1], data[2]];

    const { data: between, meta } = await rowsIn(
      `&startDate=${second?.createdAt}&endDate=${third?.createdAt}`,
    );

    expect(between).toEqual([second, third]);
    expect(meta).toMatchObject({ openingBalance: 1_000, closingBalance: 6_000, total: 2 });
  });

  test.each([
    ['&endDate=2020-01-01', 0],
    ['&startDate=2098-01-01', 11_000],
  ])('without rows (%s) has equal opening and closing balances', async (query, balance) => {
    expect(await rowsIn(query)).toMatchObject({
      data: [],
      meta: { total: 0, openingBalance: balance, closingBalance: balance },
    });
  });
});

test('pages and cursors show each row once in both orders', async () => {
  const tenant = newTenant();
  await world.deliver(
    ...Array.from({ length: 25 }, (_, index) => paid(tenant, { amount: 100 + index, feeAmount: 0 })),
  );
  const all = (await read(tenant)).data;
  expect(all).toHaveLength(25);
  for (const order of ['asc', 'desc']) {
    const expected = order === 'asc' ? all : all.toReversed();
    const walked = [];
    for (const page of [1, 2, 3]) walked.push(await read(tenant, `&order=${order}&limit=10&page=${page}`));
    const byCursor = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { data, meta } = await read(tenant, `&order=${order}&limit=10${next && `&after=${next}`}`);
      byCursor.push(...data);
      next = meta.next;
    }

    expect([walked.flatMap(({ data }) => data), byCursor]).toEqual([expected, expected]);
    expect(walked.map(({ meta }) => meta)).toMatchObject(
      [1, 2, 3].map((page) => ({ page, total: 25, pages: 3, openingBalance: 0, closingBalance: 2_800 })),
    );
  }
  expect((await read(tenant, '&page=9')).data).toEqual([]);
});

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

test.each([
  ['&type=CREDIT', 'type'],
  ['&search=x', 'search'],
  ['&view=cash', 'view'],
  [`&after=${cursor(2, 'yesterday', newId())}`, 'after'],
  [`&after=${cursor(2, DUE, 7)}`, 'after'],
])('%s is refused', async (query, field) => {
  const { status, error } = await world.read(newTenant(), pathOf(query));

  expect([status, error?.message]).toEqual([400, expect.stringContaining(field)]);
});

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
