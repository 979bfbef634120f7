import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { paid, withdrawalOf } from '../support/emitter.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';
import { aggregatesAt, elementsOf, readOfx } from './support/ofx.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const IN_BRAZIL = '?timeZone=America/Sao_Paulo';
const ROWS = ['BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS', 'BANKTRANLIST', 'STMTTRN'];

async function download(tenant: Tenant, query = IN_BRAZIL) {
  const headers = { accept: 'application/x-ofx', ...merchantHeader(tenant) };
  const answer = await fetch(`${world.first.url}/v1/statement${query}`, { headers });
  return { status: answer.status, headers: answer.headers, file: Buffer.from(await answer.arrayBuffer()) };
}

async function read(tenant: Tenant, query = IN_BRAZIL) {
  const { file, ...answer } = await download(tenant, query);
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
    rows: aggregatesAt(root, ...ROWS).map(elementsOf),
  };
}

test('a statement is OFX 1.0.2, oldest first, of one account in reais', async () => {
  const tenant = newTenant();
  await world.tell(paid(tenant, { amount: 10_000, externalId: 'pedido-9', endToEndId: 'E9' }));
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
  const told = (type: string, amount: string, name: string, memo: string) => ({
    ...{ TRNTYPE: type, TRNAMT: amount, NAME: name, MEMO: memo },
    FITID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    DTPOSTED: expect.stringMatching(/^\d{14}\.\d{3}\[-3:BRT\]$/),
  });
  expect(rows).toEqual([
    { ...told('CREDIT', '100.00', 'Crédito', 'Pix charge pedido-9'), REFNUM: 'E9' },
    { ...told('FEE', '-0.25', 'Tarifa', 'Fee of Pix charge pedido-9'), REFNUM: 'E9' },
    told('XFER', '-10.00', 'Saque', `Pix withdrawal ${id} saque-9`),
    told('FEE', '-1.00', 'Tarifa', `Fee of Pix withdrawal ${id} saque-9`),
  ]);
  expect(balance).toMatchObject({ BALAMT: '88.75' });
});

test('of a period has its first and last instant and the balance at its end', async () => {
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
    { TRNTYPE: 'DEBIT', TRNAMT: '-1.00', DTPOSTED: '20261110000000.000[-3:BRT]', NAME: 'Reembolso' },
  ]);
  expect(balance).toEqual({ BALAMT: '2.00', DTASOF: '20261110235959.999[-3:BRT]' });
  expect(headers.get('content-disposition')).toContain('statement-from-2026-11-10-to-2026-11-10.ofx');
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

test('what a merchant names itself stays text, in the letters that the file has', async () => {
  const tenant = newTenant();
  await seedRows(
    world.database,
    tenant,
    texts.map(([description = '']) => rowWith({ description })),
  );

  expect((await read(tenant)).rows.map(({ MEMO }) => MEMO)).toEqual(texts.map(([, memo]) => memo));
});

test('is whole, however many batches it is read in, and of an empty wallet as well', async () => {
  const tenant = newTenant();
  const many = Array.from({ length: 2_001 }, (_, place) => rowWith({ balanceAfter: place }));
  await seedRows(world.database, tenant, many);

  const { rows, balance } = await read(tenant, '');
  const empty = await read(newTenant());

  expect(rows.map(({ FITID }) => FITID)).toEqual(many.map(({ id }) => id));
  expect(balance.BALAMT).toBe('20.00');
  expect([empty.rows, empty.balance.BALAMT]).toEqual([[], '0.00']);
});

test('of a page is refused in JSON', async () => {
  const { status, file } = await download(newTenant(), '?page=2');

  expect([status, JSON.parse(file.toString()).error.message]).toEqual([
    400,
    'page: application/x-ofx is always the whole period',
  ]);
});

/** Of Debian's package `ofx`. */
const OFXDUMP = 'ofxdump';
const hasOfxdump = spawnSync(OFXDUMP, ['--version']).error === undefined;

test('says to ofxdump, where it is installed, what it says to the reader above', async () => {
  const tenant = newTenant();
  await world.tell(paid(tenant, { externalId: 'pedido & <1>' }));
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
