import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get as request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { describeFile } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { paid } from '../support/emitter.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { saleIn } from '../support/wallet-calls.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);

const PATH = '/v1/statement';

const HEADS =
  'id,createdAt,type,description,amount,amountDecimal,balanceAfter,balanceAfterDecimal,' +
  'paymentMethod,chargeId,withdrawalId';
const HEADER = `${HEADS}\r\n`;

describeFile({
  path: PATH,
  name: 'statement',
  heads: HEADS.split(','),
  url: () => world.first.url,
  merchantHeader,
  async addRows(tenant, count) {
    const rows = Array.from({ length: count }, () => rowWith());
    await seedRows(world.database, tenant, rows);
    return rows.map(({ id }) => id);
  },
});

/** Parses a CSV file by RFC 4180. Returns the fields of each line after the header. */
function parsed(text: string): string[][] {
  expect(text.startsWith(HEADER)).toBe(true);
  const body = text.slice(HEADER.length);
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of body.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '') break;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('the statement as a file', () => {
  test('has a header, and a line for each row, newest first', async () => {
    const { tenant, charge } = await saleIn(world, paid, { externalId: 'pedido-7' });

    const { text } = await world.download(tenant, PATH);

    const [fee = [], credit = []] = parsed(text);
    expect([fee.slice(2), credit.slice(2)]).toEqual([
      ['FEE', 'Fee of Pix charge pedido-7', '-25', '-0.25', '2475', '24.75', 'PIX', charge.data.id, ''],
      ['CREDIT', 'Pix charge pedido-7', '2500', '25.00', '2500', '25.00', 'PIX', charge.data.id, ''],
    ]);
  });

  test('has the same rows as the pages', async () => {
    const tenant = newTenant();
    await world.deliver(...Array.from({ length: 30 }, () => paid(tenant)));
    const { rows: pages } = await world.readRows(tenant, `${PATH}?limit=100`);

    const lines = parsed((await world.download(tenant, PATH)).text);

    expect(lines.map(([id, createdAt]) => [id, createdAt])).toEqual(
      pages.map(({ id, createdAt }) => [id, createdAt]),
    );
    expect(lines).toHaveLength(60);
  });

  test('covers the requested period', async () => {
    const tenant = newTenant();
    const instants = ['2026-11-09T23:59:59.999Z', '2026-11-10T00:00:00.000Z', '2026-11-11T00:00:00.000Z'];
    await seedRows(
      world.database,
      tenant,
      instants.map((createdAt) => rowWith({ createdAt })),
    );

    const one = await world.download(tenant, `${PATH}?startDate=2026-11-10&endDate=2026-11-10`);
    const none = await world.download(tenant, `${PATH}?startDate=2026-11-12`);

    expect(parsed(one.text).map(([, createdAt]) => createdAt)).toEqual([instants[1]]);
    expect(none.text).toBe(HEADER);
  });

  test.each([
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['*/*', 'application/json'],
  ])('follows the Accept header: %s is answered with %s', async (accept, type) => {
    const { headers } = await world.download(newTenant(), PATH, accept);

    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(headers.get('vary')).toContain('Accept');
  });
});

test.each([
  ['/v1/statement', 'application/xml'],
  ['/v1/balance', 'text/csv'],
  ['/v1/transactions', 'application/x-ofx'],
])('%s is not available as %s', async (path, accept) => {
  const { status, text } = await world.download(newTenant(), path, accept);

  expect([status, JSON.parse(text).error.code]).toEqual([406, 'NOT_ACCEPTABLE']);
});

test('transactions as a file follow the filters', async () => {
  const tenant = newTenant();
  await world.deliver(...Array.from({ length: 120 }, () => paid(tenant)));

  const lines = async (query: string) =>
    (await world.download(tenant, `/v1/transactions?${query}`)).text.split('\r\n').slice(1, -1);

  const fees = await lines('type=FEE&search=Fee');
  expect(new Set(fees.map((line) => line.split(',')[0])).size).toBe(120);
  expect(fees.every((line) => /,FEE,"Fee of Pix charge [^"]+",-25,-0.25,/.test(line))).toBe(true);
  expect((await lines('locale=pt-BR')).length).toBe(240);
});

describe('a download of a statement', () => {
  const BUSY = `
    SELECT count(*) AS total FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;

  test('that is cut off leaves no transaction or query behind', async () => {
    const tenant = newTenant();
    // The file must be larger than the network buffers of client and server, so that the server still writes
    // when the client disconnects.
    const description = 'x'.repeat(1_000);
    const rows = Array.from({ length: 12_000 }, () => rowWith({ description }));
    await seedRows(world.database, tenant, rows);

    for (let round = 0; round < 5; round += 1) {
      const clientRequest = request(`${world.first.url}/v1/statement`, {
        headers: { accept: 'text/csv', ...merchantHeader(tenant) },
      });
      clientRequest.on('error', () => undefined);
      const [answer] = await once(clientRequest, 'response');
      await once(answer, 'data');
      clientRequest.destroy();
    }

    await eventually(async () => expect(await world.database.query(BUSY)).toEqual([{ total: 0 }]));
    await eventually(async () =>
      expect(parsed((await world.download(tenant, PATH)).text)).toHaveLength(12_000),
    );
  });

  test('that is not read leaves slots to other merchants', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const description = 'x'.repeat(1_000);
    await seedRows(
      world.database,
      tenant,
      Array.from({ length: 12_000 }, () => rowWith({ description })),
    );
    const unread = async () => {
      const headers = { accept: 'text/csv', ...merchantHeader(tenant) };
      const clientRequest = request(`${world.first.url}/v1/statement`, { headers });
      clientRequest.on('error', () => undefined);
      const [answer] = await once(clientRequest, 'response');
      return { clientRequest, status: answer.statusCode };
    };

    const unreadDownloads = [await unread(), await unread()];
    const third = await world.download(tenant, PATH);
    const others = await world.download(other, PATH);
    for (const { clientRequest } of unreadDownloads) clientRequest.destroy();

    expect(unreadDownloads.map(({ status }) => status)).toEqual([200, 200]);
    expect([third.status, JSON.parse(third.text).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(others.status).toBe(200);
    await eventually(async () => expect((await world.download(tenant, PATH)).status).toBe(200));
  });
});

/** The LibreOffice program from Debian's package `libreoffice-calc-nogui`. */
const LIBREOFFICE = 'soffice';
const hasLibreOffice = spawnSync('sh', ['-c', `command -v ${LIBREOFFICE}`]).status === 0;
/**
 * The import options that LibreOffice suggests in Brazil: semicolons, quotes, UTF-8, first line 1, Brazilian
 * Portuguese and recognition of dates.
 */
const IN_BRAZIL = 'Text - txt - csv (StarCalc):59,34,76,1,,1046,false,true';

/** The value of a cell: a number, an instant or a text. */
type Cell = number | string;

/** Opens the file in LibreOffice and returns the cells of each line as LibreOffice understands them. */
async function openInLibreOffice(file: string): Promise<Cell[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'));
  await writeFile(join(folder, 'statement.csv'), file);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const { status, stderr } = spawnSync(
    LIBREOFFICE,
    [profile, '--headless', `--infilter=${IN_BRAZIL}`, '--convert-to', 'fods', 'statement.csv'],
    { cwd: folder, encoding: 'utf8', timeout: 150_000 },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const sheet = await readFile(join(folder, 'statement.fods'), 'utf8');
  await rm(folder, { recursive: true });
  return [...sheet.matchAll(/<table:table-row .*?<\/table:table-row>/gs)].map(([row]) => cellsOf(row));
}

const cellsOf = (row: string) =>
  [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
    ([, attributes = '', inside = '']): Cell => {
      const [, number] = /office:value="([^"]+)"/.exec(attributes) ?? [];
      const [, instant] = /office:date-value="([^"]+)"/.exec(attributes) ?? [];
      return number === undefined ? (instant ?? textOf(inside)) : Number(number);
    },
  );

const textOf = (markup: string) =>
  markup
    .replace(/<[^>]+>|\n\s*/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");

test('a pt-BR statement has numeric amounts and times in spreadsheets', async () => {
  const tenant = newTenant();
  await seedRows(world.database, tenant, [
    rowWith({ createdAt: '2026-11-10T03:00:00.000Z', amount: -1_234_505, type: 'FEE', balanceAfter: -5 }),
    rowWith({ createdAt: '2026-11-10T12:34:56.000Z', description: 'Ação; "à vista"', balanceAfter: 2_495 }),
    rowWith({ createdAt: '2026-11-10T12:35:00.000Z', description: '=1+1', balanceAfter: 123_456_789 }),
  ]);
  const query = '?timeZone=America/Sao_Paulo&locale=pt-BR&order=asc';
  const { status, text: file } = await world.download(tenant, `/v1/statement${query}`);
  expect([status, file.split('\r\n').length]).toEqual([200, 7]);
  if (!hasLibreOffice) return;

  const [head, ...rows] = await openInLibreOffice(file);

  expect(head?.slice(0, 5)).toEqual([
    'Data e hora (America/Sao_Paulo)',
    'Tipo',
    'Descrição',
    'Valor (R$)',
    'Saldo (R$)',
  ]);
  expect(rows.slice(1, 4).map((row) => row.slice(0, 5))).toEqual([
    ['2026-11-10', 'Tarifa', 'Pix charge pedido-1', -12_345.05, -0.05],
    ['2026-11-10T09:34:56', 'Crédito', 'Ação; "à vista"', 25, 24.95],
    ['2026-11-10T09:35:00', 'Crédito', "'=1+1", 25, 1_234_567.89],
  ]);
});
