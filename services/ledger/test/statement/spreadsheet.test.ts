import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);

/** The LibreOffice program from Debian's package `libreoffice-calc-nogui`. */
const LIBREOFFICE = 'soffice';
const hasLibreOffice = spawnSync('sh', ['-c', `command -v ${LIBREOFFICE}`]).status === 0;
/**
 * The import options that LibreOffice suggests in Brazil. They mean semicolons, quotes, UTF-8, first line 1,
 * Brazilian Portuguese and recognition of dates.
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
