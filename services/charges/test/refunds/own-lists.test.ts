import { describe, expect, test } from '@jest/globals';
import { api, type Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { disputeOf } from '../support/dispute.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { startRefundWorld } from '../support/refund-world.ts';
import { comesTo } from '../support/unmatched.ts';

const world = worldOfFile(startRefundWorld);

const lists = {
  refunds: z.array(api.listRefunds.data),
  'unexpected-payments': z.array(api.listUnexpectedPayments.data),
  disputes: z.array(api.listDisputes.data),
};

async function listed<Name extends keyof typeof lists>(name: Name, tenant: Tenant, query = '') {
  const answer = await world.call(tenant, `/v1/${name}${query}`);
  return { ids: lists[name].parse(answer.data).map(({ id }) => id), ...answer };
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe('the refunds of a merchant', () => {
  test('are listed newest first, by charge, status and day', async () => {
    const tenant = newTenant();
    const first = await world.paidCharge({}, { tenant });
    const second = await world.paidCharge({}, { tenant });
    world.provider.book.returns.willBe(second.pix, 'EM_PROCESSAMENTO');
    await first.refund({ amount: 700, reason: 'Não serviu' });
    await first.becomes('DONE');
    await second.refund();
    world.provider.book.returns.end(second.pix, 'NAO_REALIZADO', 'Conta encerrada');
    await second.becomes('REFUSED');

    const { data, ids, meta } = await listed('refunds', tenant);
    const { payerName } = await world.client.charge(tenant, first.id);
    const ofCharge = { externalId: expect.stringMatching(/^pedido-/), paymentMethod: 'PIX', payerName };
    const done = first.returned()[0]?.rtrId;

    expect(data).toEqual([
      {
        ...{ id: ids[0], chargeId: second.id, amount: 2465, reason: null, status: 'FAILED' },
        chargeAmount: 2500,
        ...{ requestedAt: expect.any(String), refundedAt: null, failureReason: 'refused_by_provider' },
        endToEndId: null,
        ...ofCharge,
      },
      {
        ...{ id: ids[1], chargeId: first.id, amount: 700, reason: 'Não serviu', status: 'REFUNDED' },
        chargeAmount: 2500,
        ...{ requestedAt: expect.any(String), refundedAt: expect.any(String), failureReason: null },
        endToEndId: done,
        ...ofCharge,
      },
    ]);
    expect(meta).toMatchObject({ total: 2, page: 1 });
    const of = async (query: string) => (await listed('refunds', tenant, query)).ids;
    expect(await of('?status=REFUNDED')).toEqual([ids[1]]);
    expect(await of('?status=FAILED')).toEqual([ids[0]]);
    expect(await of('?status=PROCESSING')).toEqual([]);
    expect(await of(`?chargeId=${first.id}`)).toEqual([ids[1]]);
    expect(await of(`?chargeId=${newId()}`)).toEqual([]);
    expect(await of(`?startDate=${tomorrow()}`)).toEqual([]);
    expect(await of(`?endDate=${tomorrow()}&limit=1&page=2`)).toEqual([ids[1]]);
    expect((await listed('refunds', newTenant())).ids).toEqual([]);
    const production = { ...tenant, environment: 'production' } as const;
    expect((await listed('refunds', production)).ids).toEqual([]);
  });

  test('are found by their id, amount and charge', async () => {
    const tenant = newTenant();
    const order = { payerName: 'Zélia Prado', externalId: 'loja-0042', payerEmail: 'ze@lia.example' };
    const charge = await world.paidCharge(order, { tenant });
    await charge.refund({ amount: 712 });
    const other = await world.paidCharge(
      { payerName: 'Ana Souza', payerDocument: '11144477735' },
      { tenant },
    );
    await other.refund({ amount: 800 });
    const { ids } = await listed('refunds', tenant);
    const [, id = ''] = ids;
    const of = async (search: string, by = tenant) =>
      (await listed('refunds', by, `?search=${encodeURIComponent(search)}`)).ids;

    const found = [id, id.slice(-8), charge.id, 'loja-0042', '0042', 'prado ZELIA', 'R$ 7,12', 'ze@lia'];
    for (const search of [...found, '7,12 zélia', '123.456.789-09'])
      expect([search, await of(search)]).toEqual([search, [id]]);
    for (const search of ['7,13', 'ana zelia', '%', '0043', '25,00'])
      expect([search, await of(search)]).toEqual([search, []]);
    expect(await of('zelia', newTenant())).toEqual([]);
    expect(await of('zelia', { ...tenant, environment: 'production' })).toEqual([]);
  });

  test('are readable one by one by their merchant alone', async () => {
    const tenant = newTenant();
    const charge = await world.paidCharge({}, { tenant });
    await charge.refund({ amount: 700, reason: 'Não serviu' });
    const { data, ids } = await listed('refunds', tenant);
    const read = (reader: Tenant, id = ids[0]) => world.call(reader, `/v1/refunds/${id}`);

    const own = await read(tenant);
    const others = [
      await read(newTenant()),
      await read({ ...tenant, environment: 'production' }),
      await read(tenant, charge.id),
      await read(tenant, 'no-such-refund'),
    ];

    expect([own.status, [own.data]]).toEqual([200, data]);
    expect(others.map(({ status, error }) => [status, error?.code])).toEqual(
      others.map(() => [404, 'NOT_FOUND']),
    );
  });

  test('are refused with 400 for an invalid filter', async () => {
    const tenant = newTenant();

    const answers = await Promise.all(
      ['?status=DEBITED', '?chargeId=um', '?merchantId=1'].map((query) =>
        world.call(tenant, `/v1/refunds${query}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe('an unexpected payment', () => {
  test('is shown to its charge’s merchant alone', async () => {
    const charge = await world.paidCharge();
    const second = world.provider.book.pay(charge.txid, { insists: true })[0]?.endToEndId ?? '';
    await world.client.notify(charge.txid);
    const { id } = await comesTo(world, second, 'RETURNED');

    const { data } = await listed('unexpected-payments', charge.tenant, `?endToEndId=${second}`);

    expect(data).toEqual([
      {
        ...{ id, chargeId: charge.id, txid: charge.txid, endToEndId: second, amount: 2500 },
        ...{ cause: 'DUPLICATE', status: 'RETURNED' },
        returnEndToEndId: world.provider.book.returns.of(second)[0]?.rtrId,
        ...{ paidAt: expect.any(String), returnedAt: expect.any(String) },
      },
    ]);
    const of = async (query: string) => (await listed('unexpected-payments', charge.tenant, query)).ids;
    expect(await of(`?chargeId=${charge.id}&status=RETURNED`)).toEqual([id]);
    expect(await of('?status=RETURNING')).toEqual([]);
    expect(await of(`?endToEndId=${charge.pix}`)).toEqual([]);
    expect((await listed('unexpected-payments', newTenant())).ids).toEqual([]);
  });
});

describe('the disputes of a merchant', () => {
  test('are listed by charge, opening and deadline', async () => {
    const tenant = newTenant();
    const [soon, late] = [await world.paidCharge({}, { tenant }), await world.paidCharge({}, { tenant })];
    const deadline = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const first = disputeOf(await world.dispute(soon.id, { deadline }));
    const second = disputeOf(await world.dispute(late.id));

    const of = async (query: string) => (await listed('disputes', tenant, query)).ids;

    expect(await of('')).toEqual([second.id, first.id]);
    expect(await of(`?chargeId=${soon.id}`)).toEqual([first.id]);
    expect(await of(`?deadlineBefore=${deadline}&status=OPEN`)).toEqual([first.id]);
    const opened = first.createdAt;
    expect(await of(`?startDate=${opened}&endDate=${opened}`)).toEqual([first.id]);
    expect(await of(`?startDate=${tomorrow()}`)).toEqual([]);
    expect(await of(`?deadlineBefore=${new Date().toISOString()}`)).toEqual([]);
  });
});

test.each([
  ['refunds', 'refunds:write'],
  ['disputes', 'disputes:write'],
] as const)('lists of %s show payers’ names only to readers of charges', async (list, narrow) => {
  const tenant = newTenant();
  const charge = await world.paidCharge({}, { tenant });
  if (list === 'disputes') await world.dispute(charge.id);
  else await charge.refund();
  const { externalId, payerName } = await world.client.charge(tenant, charge.id);
  const read = async (scope: Scope, accept: string) => {
    const headers = { accept, ...merchantHeader(tenant, [scope]) };
    return (await fetch(`${world.first.url}/v1/${list}?locale=pt-BR`, { headers })).text();
  };
  const namesFor = async (scope: Scope) => {
    const { data } = z
      .object({ data: z.array(lists[list].element) })
      .parse(JSON.parse(await read(scope, 'application/json')));
    return data.map((row) => row.payerName);
  };

  expect([await namesFor('charges:read'), await namesFor(narrow)]).toEqual([[payerName], [null]]);
  const file = await read('charges:read', 'text/csv');
  expect(file).toContain(';Pagador;');
  expect(file).toContain(`"${payerName}"`);
  const narrowFile = await read(narrow, 'text/csv');
  expect(narrowFile).toContain(`"${externalId}"`);
  expect(narrowFile).not.toContain(payerName);
});

describe('lists as files', () => {
  const fileOf = async (tenant: Tenant, path: string, accept = 'text/csv') => {
    const headers = { accept, ...merchantHeader(tenant) };
    const answer = await fetch(`${world.first.url}/v1/${path}`, { headers });
    return { status: answer.status, lines: (await answer.text()).split('\r\n').slice(0, -1) };
  };

  test('have the rows of the list, in both languages', async () => {
    const tenant = newTenant();
    const returned = await world.paidCharge({}, { tenant });
    await returned.refund({ amount: 700, reason: '=1+1' });
    await returned.becomes('DONE');
    const disputed = await world.paidCharge({}, { tenant });
    const dispute = disputeOf(await world.dispute(disputed.id));
    const { externalId } = await world.client.charge(tenant, disputed.id);
    const unmatched = world.provider.book.pay(returned.txid, { insists: true })[0]?.endToEndId ?? '';
    await world.client.notify(returned.txid);
    const { id } = await comesTo(world, unmatched, 'RETURNED');
    const [refundId] = (await listed('refunds', tenant)).ids;
    const plain = (path: string) => fileOf(tenant, path);
    const brazilian = (path: string) => fileOf(tenant, `${path}?locale=pt-BR&timeZone=America/Sao_Paulo`);

    expect((await plain('refunds')).lines[0]).toMatch(
      /^id,requestedAt,status,amount,amountDecimal,chargeId,/,
    );
    expect((await plain('refunds')).lines.slice(1)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${refundId},[^,]+Z,REFUNDED,700,7.00,${returned.id},[^,]+Z,,"'=1\\+1","${returned.returned()[0]?.rtrId}"$`,
        ),
      ),
    ]);
    expect((await brazilian('refunds')).lines[1]).toMatch(/^[^;]+;Devolvida;7,00;"[^;]+";Pix;/);
    expect((await plain('disputes')).lines[1]).toMatch(
      new RegExp(`^${dispute.id},[^,]+Z,OPEN,2500,25.00,0,0.00,,,.*,"${externalId}",${disputed.id},,`),
    );
    expect((await brazilian('disputes')).lines[0]).toContain(';Valor (R$);Valor devolvido (R$);Dívida (R$);');
    expect((await brazilian('disputes')).lines[1]).toMatch(/^[^;]+;Aberta;25,00;0,00;;/);
    world.ledger.reserve(dispute.id, 300);
    await world.operate(`/disputes/${dispute.id}/resolve`, { outcome: 'CUSTOMER', resolution: 'perdida' });
    expect((await plain('disputes')).lines[1]).toContain(
      ',RESOLVED_CUSTOMER,2500,25.00,2500,25.00,300,3.00,',
    );
    expect((await plain('unexpected-payments')).lines[1]).toMatch(
      new RegExp(
        `^${id},[^,]+Z,RETURNED,DUPLICATE,2500,25.00,"${unmatched}","${returned.txid}",${returned.id},`,
      ),
    );
    expect((await brazilian('unexpected-payments')).lines[1]).toMatch(/^[^;]+;Devolvido;Repetido;25,00;/);
    expect((await plain('reports/volume?interval=hour')).lines[1]).toMatch(/^[^,]+-03:00,PIX,2,5000,50.00,/);
    expect((await brazilian('reports/volume')).lines[1]).toMatch(/^[^;]+;Pix;2;50,00;/);
  });

  test.each(['refunds', 'disputes', 'unexpected-payments', 'reports/volume', 'charges'])(
    'of %s exist in no other file type',
    async (path) => {
      const { status, lines } = await fileOf(newTenant(), path, 'application/x-ofx');

      expect([status, ...lines]).toEqual([406]);
      expect((await fileOf(newTenant(), `${path}?page=1`)).status).toBe(400);
    },
  );
});
