import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { externalIdIn } from '../../src/domain/statement.ts';
import {
  disputeOf,
  FAR,
  paid,
  paidByCard,
  refundedBy,
  refundOf,
  refused,
  withdrawalOf,
} from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { saleIn } from '../support/wallet-calls.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);

/**
 * Returns a merchant's statement rows, the oldest first, and a function that downloads its statement files.
 */
async function statementOf(tenant: Tenant) {
  const path = '/v1/statement?order=asc';
  const { rows } = await world.readRows(tenant, path);
  const read = async (accept: string, query = '') =>
    (await world.download(tenant, path + query, accept)).text;
  return { rows, read };
}

/**
 * Returns the names in each statement row, the oldest first. Expects the same names in the list of
 * transactions.
 */
async function namesOf(tenant: Tenant) {
  const { rows } = await world.readRows(tenant, '/v1/statement?order=asc&limit=100');
  expect((await world.readRows(tenant, '/v1/transactions?limit=100')).rows).toEqual(rows.toReversed());
  return rows.map((row) => [row.type, row.externalId, row.endToEndId, row.occurredAt, row.settlesAt]);
}

const PAID_AT = '2026-11-21T12:00:00.000Z';

test('rows of a Pix charge have its ids and times', async () => {
  const { tenant, charge } = await saleIn(world, paid, { externalId: 'pedido-77', endToEndId: 'E77' });
  await world.refund(refundOf(charge, { amount: 300 }));
  await world.deliver(disputeOf(charge, 500).opened);

  expect(await namesOf(tenant)).toEqual([
    ['CREDIT', 'pedido-77', 'E77', PAID_AT, PAID_AT],
    ['FEE', 'pedido-77', 'E77', PAID_AT, PAID_AT],
    ['REFUND', 'pedido-77', null, '2026-11-21T13:00:00.000Z', null],
    ['DISPUTE_RESERVE', 'pedido-77', 'E77', '2026-11-21T15:00:00.000Z', null],
  ]);
});

test('a refund and its return have the refund’s id everywhere', async () => {
  const { tenant, charge } = await saleIn(world, paid, { externalId: 'pedido-78' });
  const order = refundOf(charge, { amount: 300 });
  await world.refund(order);
  await world.deliver(refused(order));
  const { rows, read } = await statementOf(tenant);
  const [, ...english] = (await read('text/csv', '&locale=en')).trim().split('\r\n');
  const [, ...brazil] = (await read('text/csv', '&locale=pt-BR')).trim().split('\r\n');
  const memos = (await read('application/x-ofx')).match(/(?<=<MEMO>).*(?=\r)/g);

  const refunds = [null, null, order.id, order.id];
  expect(rows.map(({ type, refundId }) => [type, refundId])).toEqual(
    ['CREDIT', 'FEE', 'REFUND', 'REFUND'].map((type, row) => [type, refunds[row]]),
  );
  const named = (lines: string[], separator: string, column: number) =>
    lines.slice(1, -1).map((line) => line.split(separator).at(column));
  expect(named(english, ',', -5)).toEqual(refunds.map((id) => id ?? ''));
  expect(named(brazil, ';', -2)).toEqual(refunds.map((id) => id ?? ''));
  expect(memos?.map((memo) => memo.split(order.id).length - 1)).toEqual([0, 0, 1, 1]);
});

/**
 * Returns each row's type and ids from the provider (endToEndId, NSU, authorization code), and the reference
 * numbers in OFX, oldest row first. Expects that CSV and JSON contain the same ids.
 */
async function bankIdsOf(tenant: Tenant) {
  const { rows, read } = await statementOf(tenant);
  const [heads = '', , ...lines] = (await read('text/csv', '&locale=en')).trimEnd().split('\r\n');
  const columns = ['type', 'endToEndId', 'nsu', 'authorizationCode'].map((head) =>
    heads.split(',').indexOf(head),
  );
  const cells = lines.map((line) => line.replaceAll('"', '').split(','));
  const inJson = rows.map((row) => [row.type, row.endToEndId, row.nsu, row.authorizationCode]);
  expect(cells.slice(0, -1).map((line) => columns.map((column) => line[column] || null))).toEqual(inJson);
  const inOfx = [...(await read('application/x-ofx')).matchAll(/<FITID>.*\r\n(?:<REFNUM>(.*)\r)?/g)];
  return { rows: inJson, refnums: inOfx.map(([, refnum]) => refnum ?? null) };
}

test('rows of a card charge have its NSU and its authorization code', async () => {
  const tenant = newTenant();
  const charge = paidByCard(tenant, { nsu: '000123', authorizationCode: 'A1B2' });
  await world.refund(refundOf(charge, { amount: 300 }));
  await world.deliver(charge, paidByCard(tenant));

  expect(await bankIdsOf(tenant)).toEqual({
    rows: [
      ...['CREDIT', 'FEE', 'REFUND'].map((type) => [type, null, '000123', 'A1B2']),
      ...['CREDIT', 'FEE'].map((type) => [type, null, null, null]),
    ],
    refnums: ['000123', '000123', '000123', null, null],
  });
});

test.each([
  ['after its debit was posted', 'after'],
  ['before its debit was posted', 'before'],
])('a refund has its Pix’s id when announced %s, twice', async (_when, when) => {
  const tenant = newTenant();
  const charge = paid(tenant, { endToEndId: 'E1' });
  const order = refundOf(charge, { amount: 300 });
  const done = refundedBy(order, charge, 'D1');
  await world.deliver(charge, ...(when === 'before' ? [done] : []));
  await world.refund(order);
  await world.deliver(done, { ...done, data: { ...done.data } });

  expect(await bankIdsOf(tenant)).toEqual({
    rows: [
      ['CREDIT', 'E1', null, null],
      ['FEE', 'E1', null, null],
      ['REFUND', 'D1', null, null],
    ],
    refnums: ['E1', 'E1', 'D1'],
  });
  expect(await world.deadLetters()).toEqual([]);
});

test('a refund of an older release has no own id', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, { endToEndId: 'E1' });
  const order = refundOf(charge);
  await world.refund(order);
  const { refund: _, ...old } = refundedBy(order, charge, null).data;
  await world.deliver(charge, { ...refundedBy(order, charge, null), data: old });

  expect((await bankIdsOf(tenant)).refnums).toEqual([null, null, null]);
  expect(await world.deadLetters()).toEqual([]);
});

test('a withdrawal has the id of the Pix that paid it', async () => {
  const tenant = newTenant();
  const { order, completed } = withdrawalOf(tenant);
  await world.deliver(paid(tenant, { amount: 10_000, feeAmount: 0 }));
  await world.withdraw(order);
  await world.deliver(completed);

  expect((await bankIdsOf(tenant)).refnums).toEqual([null, 'tx-1', 'tx-1']);
});

test('rows of card money have their settlement time', async () => {
  const tenant = newTenant();
  await world.deliver(paidByCard(tenant, { externalId: 'cartão-1' }));

  expect(await namesOf(tenant)).toEqual([
    ['CREDIT', 'cartão-1', null, PAID_AT, FAR],
    ['FEE', 'cartão-1', null, PAID_AT, FAR],
  ]);
});

test('a refund before its charge’s event carries the charge’s names', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, { externalId: 'pedido-5', endToEndId: 'E5' });
  const order = refundOf(charge);
  await world.refund({ ...order, charge: { ...order.charge, endToEndId: 'E5' } });
  await world.deliver(charge);

  expect((await namesOf(tenant)).map(([, ...names]) => names.slice(0, 2))).toEqual(
    ['E5', 'E5', null].map((endToEndId) => ['pedido-5', endToEndId]),
  );
});

test('a withdrawal has its externalId at once, endToEndId on completion', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { amount: 10_000 }));
  const { order, completed } = withdrawalOf(tenant);
  await world.withdraw({ ...order, externalId: 'saque-3' });
  const before = (await namesOf(tenant)).slice(2);
  await world.deliver(completed);

  const requestedAt = '2026-11-21T18:00:00.000Z';
  expect(before).toEqual([
    ['WITHDRAWAL', 'saque-3', null, requestedAt, null],
    ['FEE', 'saque-3', null, requestedAt, null],
  ]);
  expect((await namesOf(tenant)).slice(2)).toEqual(
    before.map(([type, externalId, , at]) => [type, externalId, 'tx-1', at, null]),
  );
});

test('an operator’s TED reference is no end-to-end id', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { amount: 10_000 }));
  const { order, completed } = withdrawalOf(tenant);
  await world.withdraw({ ...order, method: 'TED' });
  await world.deliver({ ...completed, data: { ...completed.data, method: 'TED' } });

  expect((await namesOf(tenant)).slice(2).map(([, , endToEndId]) => endToEndId)).toEqual([null, null]);
});

test('a row without names gets its externalId from the description', async () => {
  const tenant = newTenant();
  const { data, ...announcement } = paid(tenant, { externalId: 'antigo; 1' });
  await world.deliver({ ...announcement, data });
  await world.database.query('ALTER TABLE journal_entries DISABLE TRIGGER journal_entries_append_only');
  await world.database.query('UPDATE journal_entries SET external_id = NULL WHERE reference = $1', [data.id]);
  await world.database.query('ALTER TABLE journal_entries ENABLE TRIGGER journal_entries_append_only');

  expect((await namesOf(tenant)).map(([, externalId]) => externalId)).toEqual(['antigo; 1', 'antigo; 1']);
});

test.each([
  ['Card charge a\nb', 'charge', 'a\nb'],
  ['Refund of Pix charge Fee of Pix charge 1', 'charge', 'Fee of Pix charge 1'],
  ['Reserved for dispute 1', 'charge', null],
  ['Pix charge 1', null, null],
])('the description %j of charge %s gives the externalId %j', (description, chargeId, externalId) => {
  const row = { ...rowWith(), type: 'CREDIT' as const, paymentMethod: 'PIX' as const, createdAt: new Date() };

  expect(externalIdIn({ ...row, description, chargeId })).toBe(externalId);
});

test('names are only in files with a locale', async () => {
  const tenant = newTenant();
  await world.deliver(paidByCard(tenant, { externalId: 'pedido-8', endToEndId: 'E8' }));
  await seedRows(world.database, tenant, [rowWith()]);
  const { read } = await statementOf(tenant);
  const fileOf = async (locale: string) =>
    (await read('text/csv', `&timeZone=America/Sao_Paulo&startDate=2026-01-01${locale}`)).split('\r\n');

  const [brazil, english, plain] = [
    await fileOf('&locale=pt-BR'),
    await fileOf('&locale=en'),
    await fileOf(''),
  ];

  expect(brazil[0]).toContain(';Seu número;ID ponta a ponta;Ocorrido em (America/Sao_Paulo);Disponível em');
  expect(brazil[2]).toContain(';"pedido-8";"E8";21/11/2026 09:00:00;31/12/2098 21:00:00;');
  expect(english[0]).toMatch(
    /,withdrawalId,externalId,endToEndId,occurredAt \(America\/Sao_Paulo\),settlesAt/,
  );
  expect(english[2]).toMatch(
    /,"pedido-8","E8",2026-11-21T09:00:00.000-03:00,2098-12-31T21:00:00.000-03:00,,,,,,,,$/,
  );
  expect(plain[0]).toMatch(/,chargeId,withdrawalId$/);
});

test('rows of a dispute have its id and later outcome', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, { amount: 10_000, feeAmount: 0 });
  const disputes = [1_000, 2_000, 3_000, 4_000, 5_000].map((amount) => disputeOf(charge, amount));
  const [open, won, lost, other, cancelled] = disputes;
  if (!open || !won || !lost || !other || !cancelled) throw new Error('five disputes are made');
  await world.deliver(charge, ...disputes.map(({ opened }) => opened));
  await world.deliver(won.resolved('RESOLVED_MERCHANT'), lost.resolved('RESOLVED_CUSTOMER'));
  await world.deliver(cancelled.resolved('CANCELLED'));

  const { rows, read } = await statementOf(tenant);

  const resolvedAt = '2026-11-21T16:00:00.000Z';
  const undecided = { outcome: null, resolvedAt: null };
  expect(rows.map(({ type, dispute }) => [type, dispute])).toEqual([
    ['CREDIT', null],
    ['DISPUTE_RESERVE', { id: open.id, ...undecided }],
    ['DISPUTE_RESERVE', { id: won.id, outcome: 'WON', resolvedAt }],
    ['DISPUTE_RESERVE', { id: lost.id, outcome: 'LOST', resolvedAt }],
    ['DISPUTE_RESERVE', { id: other.id, ...undecided }],
    // The merchant has no money left for the last dispute, so the dispute's rows only change the debt.
    ['DISPUTE_DEFICIT', { id: cancelled.id, outcome: 'CANCELLED', resolvedAt }],
    ['DISPUTE_RELEASE', { id: won.id, outcome: 'WON', resolvedAt }],
    ['DISPUTE_DEFICIT', { id: cancelled.id, outcome: 'CANCELLED', resolvedAt }],
  ]);
  const endOf = async (locale: string, { id } = lost) => {
    const lines = (await read('text/csv', `&locale=${locale}`)).split('\r\n');
    return lines.find((line) => line.includes(id) && !line.includes('disputeId')) ?? '';
  };
  expect(await endOf('en')).toMatch(new RegExp(`,${lost.id},LOST,2026-11-21T16:00:00.000\\+00:00,,,,,$`));
  expect(await endOf('pt-BR')).toMatch(new RegExp(`;Perdida;21/11/2026 16:00:00;.*;${lost.id};;[^;]+$`));
  expect(await endOf('pt-BR', cancelled)).toContain(';Retirada;');
  const ofx = await read('application/x-ofx');
  expect(ofx).toMatch(new RegExp(`${lost.id}.* \\(perdida\\)`));
  expect(ofx).toMatch(new RegExp(`${cancelled.id}.* \\(retirada\\)`));
});
