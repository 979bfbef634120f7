import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { dayOf, type Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { ledgerConfig } from '../../src/config.ts';
import { disputeOf, paid, paidByCard, withdrawalOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { merchantIn } from '../support/wallet-calls.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';
import { aggregatesAt, elementsOf, readOfx } from './support/ofx.ts';

const world = worldOfFile(sharedSeededWorld);

const IN_BRAZIL = '?timeZone=America/Sao_Paulo';
const ROWS = ['BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS', 'BANKTRANLIST', 'STMTTRN'];

const download = (tenant: Tenant, query = IN_BRAZIL, ledger = world.first) =>
  world.download(tenant, `/v1/statement${query}`, 'application/x-ofx', ledger);

async function read(tenant: Tenant, query = IN_BRAZIL, ledger = world.first) {
  const { file, ...answer } = await download(tenant, query, ledger);
  const { header, root } = readOfx(file);
  const [statement] = aggregatesAt(root, 'BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS');
  const inStatement = (...path: string[]) => (statement ? aggregatesAt(statement, ...path) : []);
  return {
    ...answer,
    header,
    root,
    account: elementsOf(inStatement('BANKACCTFROM')[0]),
    period: elementsOf(inStatement('BANKTRANLIST')[0]),
    balance: elementsOf(inStatement('LEDGERBAL')[0]),
    available: elementsOf(inStatement('AVAILBAL')[0]),
    server: elementsOf(aggregatesAt(root, 'SIGNONMSGSRSV1', 'SONRS')[0]),
    rows: aggregatesAt(root, ...ROWS).map(elementsOf),
  };
}

test('a statement is OFX 1.0.2, oldest first, of one account in reais', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { amount: 10_000, externalId: 'pedido-9', endToEndId: 'E9' }));
  const { order, id } = withdrawalOf(tenant);
  await world.withdraw({ ...order, externalId: 'saque-9' });

  const { status, headers, header, root, account, balance, rows } = await read(tenant);

  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ofx']);
  expect(headers.get('content-disposition')).toBe('attachment; filename=statement.ofx');
  expect(header).toMatchObject({ OFXHEADER: '100', DATA: 'OFXSGML', VERSION: '102', CHARSET: '1252' });
  expect(elementsOf(aggregatesAt(root, 'SIGNONMSGSRSV1', 'SONRS', 'STATUS')[0])).toEqual({
    CODE: '0',
    SEVERITY: 'INFO',
  });
  expect(account).toMatchObject({ BRANCHID: 'sandbox', ACCTTYPE: 'CHECKING' });
  expect(Buffer.from(account.ACCTID ?? '', 'base64url').toString('hex')).toBe(
    tenant.merchantId.replaceAll('-', ''),
  );
  const transactionOf = (type: string, amount: string, name: string, memo: string) => ({
    ...{ TRNTYPE: type, TRNAMT: amount, NAME: name, MEMO: memo },
    FITID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    DTPOSTED: expect.stringMatching(/^\d{14}\.\d{3}\[-3:BRT\]$/),
  });
  expect(rows).toEqual([
    { ...transactionOf('CREDIT', '100.00', 'Crédito', 'Cobrança por Pix pedido-9'), REFNUM: 'E9' },
    { ...transactionOf('FEE', '-0.25', 'Tarifa', 'Tarifa da cobrança por Pix pedido-9'), REFNUM: 'E9' },
    transactionOf('XFER', '-10.00', 'Saque', `Saque por Pix saque-9 ${id}`),
    transactionOf('FEE', '-1.00', 'Tarifa', `Tarifa do saque por Pix saque-9 ${id}`),
  ]);
  expect(balance).toMatchObject({ BALAMT: '88.75' });
});

test('a statement’s period has its limits and its closing balance', async () => {
  const tenant = newTenant();
  await seedRows(world.database, tenant, [
    rowWith({ createdAt: '2026-11-10T02:59:59.999Z', balanceAfter: 100 }),
    rowWith({ createdAt: '2026-11-10T03:00:00.000Z', balanceAfter: 200, amount: -100, type: 'REFUND' }),
    rowWith({ createdAt: '2026-11-11T03:00:00.000Z', balanceAfter: 300 }),
  ]);

  const { headers, period, balance, rows } = await read(
    tenant,
    `${IN_BRAZIL}&startDate=2026-11-10&endDate=2026-11-10`,
  );

  expect(period).toEqual({ DTSTART: '20261110000000.000[-3:BRT]', DTEND: '20261110235959.999[-3:BRT]' });
  expect(rows).toMatchObject([
    { TRNTYPE: 'DEBIT', TRNAMT: '-1.00', DTPOSTED: '20261110000000.000[-3:BRT]', NAME: 'Devolução' },
  ]);
  expect(balance).toEqual({ BALAMT: '2.00', DTASOF: '20261110235959.999[-3:BRT]' });
  expect(headers.get('content-disposition')).toContain('statement-from-2026-11-10-to-2026-11-10.ofx');
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => dayOf(new Date(Date.now() + days * DAY_MS), 'America/Sao_Paulo');

test.each([
  ['on a future day', `&startDate=${inDays(-3)}&endDate=${inDays(9)}`],
  ['on the last possible day', '&endDate=9999-12-31'],
  ['and the start on future days', `&startDate=${inDays(5)}&endDate=${inDays(9)}`],
  ['left out', ''],
])('a period with the end %s ends at the response', async (_end, query) => {
  const tenant = await merchantIn(world);

  const { period, balance, available, server } = await read(tenant, `${IN_BRAZIL}${query}`);

  expect([period.DTEND, balance.DTASOF, available.DTASOF]).toEqual(Array(3).fill(server.DTSERVER));
  expect(String(period.DTSTART) <= String(period.DTEND)).toBe(true);
});

test('a period in the sandbox ends by its clock', async () => {
  const tenant = newTenant();
  await world.deliver(
    clockMoved(tenant.merchantId, { sandboxAheadMs: 40 * DAY_MS, version: 1 }),
    paid(tenant),
  );

  const { balance, server } = await read(tenant, `${IN_BRAZIL}&endDate=${inDays(39)}`);

  expect(balance.DTASOF).toBe(`${inDays(39).replaceAll('-', '')}235959.999[-3:BRT]`);
  expect(String(server.DTSERVER) > String(balance.DTASOF)).toBe(true);
});

test('a statement has withdrawable balance and balance with pending money', async () => {
  const tenant = newTenant();
  const pix = paid(tenant, { amount: 10_000, feeAmount: 0 });
  const card = paidByCard(tenant, { amount: 7_000, feeAmount: 0 });
  const due = paidByCard(tenant, { amount: 500, feeAmount: 0, settlesAt: '2026-01-01T00:00:00.000Z' });
  const balancesNow = async (query?: string) => {
    const { balance, available } = await read(tenant, query);
    return [balance.BALAMT, available.BALAMT];
  };

  await world.deliver(pix, card);
  const before = await balancesNow();
  const [{ now } = { now: new Date() }] = await world.database.query<{ now: Date }>(
    'SELECT clock_timestamp() AS now',
  );
  await eventually(() => expect(Date.now()).toBeGreaterThan(now.getTime() + 1));
  await world.deliver(due);
  await eventually(async () => expect(await balancesNow()).toEqual(['175.00', '105.00']));
  await world.withdraw(withdrawalOf(tenant, { netAmount: 10_300, fee: 0 }).order);
  await world.deliver(disputeOf(pix).opened);

  expect(before).toEqual(['170.00', '100.00']);
  expect(await balancesNow(`?endDate=${now.toISOString()}`)).toEqual(before);
  expect(await balancesNow()).toEqual(['-28.00', '0.00']);
});

test('an operator configures bank id and account numbers', async () => {
  const [named, other] = [newTenant(), newTenant()];
  const settings = { OFX_BANK_ID: '0341', OFX_ACCOUNT_IDS: `${named.merchantId}:1234/56789-0` };
  const replica = await world.startReplica({}, settings);

  expect((await read(named, IN_BRAZIL, replica)).account).toMatchObject({
    BANKID: '0341',
    ACCTID: '1234/56789-0',
  });
  expect((await read(other, IN_BRAZIL, replica)).account.ACCTID).toHaveLength(22);
  expect((await read(named)).account).toMatchObject({ BANKID: '0000' });
});

const ID = '01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11';
const OTHER_ID = '01939f2e-7d3b-7c51-9a54-0d2f6d0c4a12';
const mistakes = [
  ['OFX_BANK_ID', ''],
  ['OFX_BANK_ID', '0123456789'],
  ['OFX_BANK_ID', '03<1'],
  ['OFX_ACCOUNT_IDS', ''],
  ['OFX_ACCOUNT_IDS', 'loja:1'],
  ['OFX_ACCOUNT_IDS', `${ID}:`],
  ['OFX_ACCOUNT_IDS', `${ID}:${'1'.repeat(23)}`],
  ['OFX_ACCOUNT_IDS', `${ID}:1,${ID}:2`],
  ['OFX_ACCOUNT_IDS', `${ID}:1,${OTHER_ID}:1`],
] as const;

test.each(mistakes)('the ledger refuses the setting %s=%s', (name, value) => {
  expect(ledgerConfig.shape[name].safeParse(value).success).toBe(false);
});

test.each([
  ['UTC', '20261110030000.000[0:GMT]'],
  ['America/Noronha', '20261110010000.000[-2:FNT]'],
  ['America/Manaus', '20261109230000.000[-4:AMT]'],
  ['America/Rio_Branco', '20261109220000.000[-5:ACT]'],
])('times of %s are written as %s', async (timeZone, written) => {
  const tenant = newTenant();
  await seedRows(world.database, tenant, [rowWith({ createdAt: '2026-11-10T03:00:00.000Z' })]);

  const { period, rows } = await read(tenant, `?timeZone=${timeZone}`);

  expect([period.DTSTART, rows[0]?.DTPOSTED]).toEqual([written, written]);
});

const texts = [
  ['Ação & <b>"x"</b>', 'Ação & <b>"x"</b>'],
  ['pão de queijo €5 😀', 'pão de queijo €5 ?'],
  ['“Loja” – d’água — œuvre™ • à vista…', '“Loja” – d’água — œuvre™ • à vista…'],
  ['№ 7 − 2‑3 ﬁm Ştefan １０ ½ ☕', 'No 7 - 2-3 fim Stefan 10 ½ ?'],
  ['<OFX></OFX>\r\n<STMTTRN>', '<OFX></OFX>??<STMTTRN>'],
  ['São João', 'São João'],
  [`${'&'.repeat(300)}`, '&'.repeat(255)],
];

test('a merchant’s own text stays text in Windows-1252', async () => {
  const tenant = newTenant();
  await seedRows(
    world.database,
    tenant,
    texts.map(([description = '']) => rowWith({ description })),
  );

  expect((await read(tenant)).rows.map(({ MEMO }) => MEMO)).toEqual(texts.map(([, memo]) => memo));
});

test('a statement is complete over many batches and without rows', async () => {
  const tenant = newTenant();
  const many = Array.from({ length: 2_001 }, (_, index) => rowWith({ balanceAfter: index }));
  await seedRows(world.database, tenant, many);

  const { rows, balance } = await read(tenant, '');
  const empty = await read(newTenant());

  expect(rows.map(({ FITID }) => FITID)).toEqual(many.map(({ id }) => id));
  expect(balance.BALAMT).toBe('20.00');
  expect([empty.rows, empty.balance.BALAMT]).toEqual([[], '0.00']);
});

test('a page of an OFX statement is refused in JSON', async () => {
  const { status, file } = await download(newTenant(), '?page=2');

  expect([status, JSON.parse(file.toString()).error.message]).toEqual([
    400,
    'page: application/x-ofx is always the whole period',
  ]);
});

/** A program from Debian's package `ofx`. It reads OFX files. */
const OFXDUMP = 'ofxdump';
const hasOfxdump = spawnSync(OFXDUMP, ['--version']).error === undefined;

test('an installed ofxdump reads the same amounts and balance', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { externalId: 'pedido & <1>' }));
  const { file } = await download(tenant);
  expect(readOfx(file).root.name).toBe('OFX');
  if (!hasOfxdump) return;
  const folder = await mkdtemp(join(tmpdir(), 'ofx-'));
  const path = join(folder, 'statement.ofx');
  await writeFile(path, file);

  const { status, stdout } = spawnSync(OFXDUMP, [path], { encoding: 'utf8' });
  await rm(folder, { recursive: true });

  expect(status).toBe(0);
  const amounts = [...stdout.matchAll(/Total money amount:\s*(\S+)/g)].map(([, amount]) => Number(amount));
  expect(amounts).toEqual([25, -0.25]);
  expect(stdout).toContain('pedido & <1>');
  expect(stdout).toMatch(/Ledger balance:\s*24\.75/);
});
