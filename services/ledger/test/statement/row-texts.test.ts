import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { asOperator, sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

/**
 * Returns the cells of the column with this header. Splits at the separator, because no cell in these tests
 * contains it.
 */
async function columnOf(tenant: Tenant, path: string, head: string) {
  const [heads = '', ...lines] = (await world.download(tenant, `/v1/${path}`)).text.trimEnd().split('\r\n');
  const separator = heads.includes(';') ? ';' : ',';
  const column = heads.split(separator).indexOf(head);
  const cells = lines.map((line) => line.split(separator)[column]?.replaceAll('"', ''));
  return cells.filter((cell) => cell !== '');
}

async function elementsOf(tenant: Tenant, name: string, query: string) {
  const { file } = await world.download(tenant, `/v1/statement${query}`, 'application/x-ofx');
  return [...file.toString('latin1').matchAll(new RegExp(`<${name}>(.*)\r`, 'g'))].map(([, value]) => value);
}

/** Posts facts that create each kind of statement row, and returns the expected texts. */
async function postEverything(tenant: Tenant) {
  const [pix, card] = [
    paid(tenant, { externalId: 'pedido-1' }),
    paidByCard(tenant, { externalId: 'pedido-2' }),
  ];
  const refund = refundOf(pix, { amount: 300 });
  const dispute = disputeOf(card, 6_000);
  const [done, failed] = [
    withdrawalOf(tenant, { netAmount: 10, fee: 1 }),
    withdrawalOf(tenant, { netAmount: 10, fee: 1 }),
  ];
  const operate = (path: string, body: object) =>
    asOperator(world.first, {
      path: `/v1/admin/ledger/${path}`,
      body: { ...tenant, amount: 5, reason: 'test', description: 'Bônus de maio', ...body },
    });
  await world.deliver(pix, card);
  await world.refund(refund);
  await world.deliver(refused(refund));
  await world.withdraw({ ...done.order, externalId: 'saque-1' });
  await world.withdraw({ ...failed.order, method: 'TED' });
  await world.deliver(failed.failed);
  await operate('blocks', {});
  await operate('unblocks', {});
  await operate('adjustments', {});
  await world.deliver(dispute.opened, dispute.resolved('RESOLVED_MERCHANT'));
  return [...rowsOf(refund.id, done.id, failed.id), ...disputeRowsOf(dispute.id)];
}

/**
 * The expected texts of a row: the stored description, the text in each language, and the names that an OFX
 * file adds.
 */
type Texts = [stored: string, brazilian: string, english: string, names?: string];

function rowsOf(refundId: string, doneId: string, failedId: string): Texts[] {
  return [
    ['Pix charge pedido-1', 'Cobrança por Pix pedido-1', 'Pix charge pedido-1'],
    ['Fee of Pix charge pedido-1', 'Tarifa da cobrança por Pix pedido-1', 'Fee of Pix charge pedido-1'],
    ['Card charge pedido-2', 'Cobrança por cartão pedido-2', 'Card charge pedido-2'],
    ['Fee of Card charge pedido-2', 'Tarifa da cobrança por cartão pedido-2', 'Fee of Card charge pedido-2'],
    [
      'Refund of Pix charge pedido-1',
      'Devolução da cobrança por Pix pedido-1',
      'Refund of Pix charge pedido-1',
      ` ${refundId}`,
    ],
    [
      `Refund ${refundId} refused by the provider`,
      `Devolução ${refundId} recusada pelo provedor`,
      `Refund ${refundId} refused by the provider`,
      ' pedido-1',
    ],
    [`Pix withdrawal ${doneId}`, 'Saque por Pix saque-1', 'Pix withdrawal saque-1', ` ${doneId}`],
    [
      `Fee of Pix withdrawal ${doneId}`,
      'Tarifa do saque por Pix saque-1',
      'Fee of Pix withdrawal saque-1',
      ` ${doneId}`,
    ],
    [`TED withdrawal ${failedId}`, `Saque por TED ${failedId}`, `TED withdrawal ${failedId}`],
    [
      `Fee of TED withdrawal ${failedId}`,
      `Tarifa do saque por TED ${failedId}`,
      `Fee of TED withdrawal ${failedId}`,
    ],
    [
      `Money of withdrawal ${failedId} returned`,
      `Valor do saque ${failedId} devolvido`,
      `Money of withdrawal ${failedId} returned`,
    ],
    [
      `Fee of withdrawal ${failedId} returned`,
      `Tarifa do saque ${failedId} devolvida`,
      `Fee of withdrawal ${failedId} returned`,
    ],
    ['Blocked by the platform', 'Bloqueado pela plataforma', 'Blocked by the platform'],
    [
      'No longer blocked by the platform',
      'Desbloqueado pela plataforma',
      'No longer blocked by the platform',
    ],
    ['Bônus de maio', 'Bônus de maio', 'Bônus de maio'],
  ];
}

const disputeRowsOf = (id: string) =>
  [
    ['Reserved for dispute', 'Reservado para a contestação'],
    ['Missing for dispute', 'Em falta para a contestação'],
    ['Released by dispute', 'Liberado pela contestação'],
    ['Not owed for dispute', 'Não mais devido pela contestação'],
  ].map(([english, brazilian]): Texts => {
    return [`${english} ${id}`, `${brazilian} ${id}`, `${english} ${id}`, ' pedido-2 (OUTCOME)'];
  });

test('files name payers and payees once their names are available', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, {
    externalId: 'pedido-1',
    payerName: 'Zoë & Ana',
    amount: 90_000,
    feeAmount: 25,
  });
  const old = paid(tenant, { externalId: 'pedido-2', feeAmount: 0 });
  const [pix, ted] = [withdrawalOf(tenant, { fee: 0 }), withdrawalOf(tenant, { fee: 0 })];
  const bankAccount = {
    ...{ bankCode: '001', branch: '1', account: '2', accountType: 'CHECKING' as const },
    ...{ holderName: 'Conta de Rui', holderDocument: '12345678909' },
  };
  await world.deliver(charge, old);
  await world.refund(refundOf(charge, { amount: 300 }));
  await world.withdraw({ ...pix.order, externalId: 'saque-1' });
  await world.withdraw({ ...ted.order, externalId: 'saque-2', method: 'TED' });
  await world.deliver(
    { ...pix.completed, data: { ...pix.completed.data, payeeName: 'Lia Reis' } },
    { ...ted.failed, data: { ...ted.failed.data, method: 'TED', bankAccount } },
  );

  expect(await columnOf(tenant, 'statement?order=asc&locale=pt-BR', 'Descrição')).toEqual([
    'Cobrança por Pix pedido-1 de Zoë & Ana',
    'Tarifa da cobrança por Pix pedido-1 de Zoë & Ana',
    'Cobrança por Pix pedido-2',
    'Devolução da cobrança por Pix pedido-1 para Zoë & Ana',
    'Saque por Pix saque-1 para Lia Reis',
    'Saque por TED saque-2 para Conta de Rui',
    'Valor do saque saque-2 para Conta de Rui devolvido',
  ]);
  expect(await columnOf(tenant, 'statement?order=asc&locale=en', 'description')).toEqual([
    'Pix charge pedido-1 from Zoë & Ana',
    'Fee of Pix charge pedido-1 from Zoë & Ana',
    'Pix charge pedido-2',
    'Refund of Pix charge pedido-1 to Zoë & Ana',
    'Pix withdrawal saque-1 to Lia Reis',
    'TED withdrawal saque-2 to Conta de Rui',
    'Money of withdrawal saque-2 to Conta de Rui returned',
  ]);
  expect(await elementsOf(tenant, 'NAME', '')).toEqual([
    ...['Zoë &amp; Ana', 'Tarifa', 'Crédito', 'Zoë &amp; Ana'],
    ...['Lia Reis', 'Conta de Rui', 'Conta de Rui'],
  ]);
  expect((await elementsOf(tenant, 'MEMO', '')).slice(0, 2)).toEqual([
    'Cobrança por Pix pedido-1 de Zoë &amp; Ana',
    'Tarifa da cobrança por Pix pedido-1 de Zoë &amp; Ana',
  ]);
  const { rows } = await world.readRows(tenant, '/v1/statement?order=asc&limit=100');
  const names = rows.map((row) => [row.description, row.payerName, row.payeeName]);
  expect(names.slice(0, 5)).toEqual([
    ['Pix charge pedido-1', 'Zoë & Ana', null],
    ['Fee of Pix charge pedido-1', 'Zoë & Ana', null],
    ['Pix charge pedido-2', null, null],
    ['Refund of Pix charge pedido-1', 'Zoë & Ana', null],
    [`Pix withdrawal ${pix.id}`, null, 'Lia Reis'],
  ]);
  expect(await columnOf(tenant, 'statement?order=asc&locale=en', 'payeeName')).toEqual([
    ...['Lia Reis', 'Conta de Rui', 'Conta de Rui'],
  ]);
  const stored = await world.database.query('SELECT * FROM row_names', []);
  expect(JSON.stringify(stored)).not.toContain(bankAccount.holderDocument);
});

test('every OFX memo of a charge or withdrawal names person and order', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, { externalId: 'pedido-1', payerName: 'Zoë', amount: 90_000 });
  const refund = refundOf(charge, { amount: 300 });
  const dispute = disputeOf(charge, 6_000);
  const withdrawal = withdrawalOf(tenant);
  await world.deliver(charge);
  await world.refund(refund);
  await world.withdraw({ ...withdrawal.order, externalId: 'saque-1' });
  await world.deliver(
    refused(refund),
    { ...withdrawal.completed, data: { ...withdrawal.completed.data, payeeName: 'Lia' } },
    dispute.opened,
    dispute.resolved('RESOLVED_MERCHANT'),
  );

  for (const language of ['pt-BR', 'en']) {
    const memos = await elementsOf(tenant, 'MEMO', `?locale=${language}`);
    expect(memos).toHaveLength(8);
    for (const memo of memos) expect(memo).toMatch(/pedido-1.*Zoë|Zoë.*pedido-1|saque-1.*Lia/);
  }
});

test('files with a locale translate row texts, other files don’t', async () => {
  const tenant = newTenant();
  const rows = await postEverything(tenant);
  const [stored, brazilian, english] = ([0, 1, 2] as const).map((index) => rows.map((row) => row[index]));
  const memos = (texts: readonly string[] = [], outcome = '') =>
    rows.map(([, , , names = ''], index) => texts[index] + names.replace('OUTCOME', outcome));

  expect(await columnOf(tenant, 'statement?order=asc&locale=pt-BR', 'Descrição')).toEqual(brazilian);
  expect(await columnOf(tenant, 'statement?order=asc&locale=en', 'description')).toEqual(english);
  expect(await columnOf(tenant, 'statement?order=asc', 'description')).toEqual(stored);
  const newestFirst = await columnOf(tenant, 'transactions?locale=pt-BR', 'Descrição');
  expect(newestFirst.toReversed()).toEqual(brazilian);
  const { rows: shown } = await world.readRows(tenant, '/v1/statement?order=asc&limit=100');
  expect(shown.map(({ description }) => description)).toEqual(stored);

  for (const query of ['', '?locale=pt-BR']) {
    expect(await elementsOf(tenant, 'LANGUAGE', query)).toEqual(['POR']);
    expect(await elementsOf(tenant, 'MEMO', query)).toEqual(memos(brazilian, 'ganha'));
  }
  expect(await elementsOf(tenant, 'LANGUAGE', '?locale=en')).toEqual(['ENG']);
  expect(await elementsOf(tenant, 'MEMO', '?locale=en')).toEqual(memos(english, 'won'));
  expect([...new Set(await elementsOf(tenant, 'NAME', '?locale=en'))]).toEqual([
    ...['Credit', 'Fee', 'Refund', 'Withdrawal', 'Debit'],
    ...['Dispute reserve', 'Dispute debt', 'Dispute release'],
  ]);
});
