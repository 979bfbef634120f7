import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { enterForEach, visitAsDemo } from '../support/browser-world.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

interface File {
  at: string;
  button: string;
  reads: string;
  query?: object;
  head: string;
  as?: string;
  /** The beginning of the file's name, to which the date is added. */
  name?: string;
}

const RECEIVABLES = {
  timeZone: 'America/Sao_Paulo',
  totalAmount: 1_000,
  days: [{ date: '2026-11-20', paymentMethod: 'CARD', count: 1, amount: 1_000 }],
};
const ROWS = 'Data e hora (America/Sao_Paulo);Tipo;';

/** Replaces an exported file with one that grows until the test sets `isWhole`. */
const SLOW_FILES = `{
  const original = window.fetch;
  const nextLine = (lines) => setTimeout(() => {
    lines.enqueue(new TextEncoder().encode('linha\\n'));
    if (window.isWhole) lines.close();
    else nextLine(lines);
  }, 50);
  window.fetch = (input, init) =>
    init?.headers?.accept === 'text/csv'
      ? Promise.resolve(new Response(new ReadableStream({ start: nextLine })))
      : original(input, init);
}`;

/** Every export button, with the request that it sends and the first line of the file. */
const FILES: readonly File[] = [
  {
    at: '/',
    button: 'Exportar CSV',
    reads: '/v1/reports/volume',
    query: { interval: 'day', startDate: expect.stringMatching(DAY) },
    head: 'Início (America/Sao_Paulo);',
  },
  {
    at: '/charges?status=PAID',
    button: 'Exportar CSV',
    reads: '/v1/charges',
    query: { status: 'PAID' },
    head: 'Criada em (America/Sao_Paulo);',
  },
  {
    at: '/refunds?status=FAILED',
    button: 'Exportar CSV',
    reads: '/v1/refunds',
    query: { status: 'FAILED' },
    head: 'Pedida em (America/Sao_Paulo);',
  },
  {
    at: '/disputes?status=OPEN',
    button: 'Exportar CSV',
    reads: '/v1/disputes',
    query: { status: 'OPEN' },
    head: 'Aberta em (America/Sao_Paulo);',
  },
  {
    at: '/withdrawals?status=COMPLETED',
    button: 'Exportar CSV',
    reads: '/v1/withdrawals',
    query: { status: 'COMPLETED' },
    head: 'Criado em (America/Sao_Paulo);',
  },
  {
    at: '/statement',
    button: 'Exportar CSV',
    reads: '/v1/statement',
    query: { order: 'asc' },
    head: ROWS,
    name: 'extrato',
  },
  {
    at: '/statement?from=2026-11-01',
    button: 'Exportar OFX',
    reads: '/v1/statement',
    query: { startDate: '2026-11-01' },
    head: 'OFXHEADER:100',
    as: 'application/x-ofx',
  },
  {
    at: '/statement?view=available',
    button: 'Exportar CSV',
    reads: '/v1/statement',
    query: { view: 'available', order: 'asc' },
    head: ROWS,
    name: 'extrato-disponivel',
  },
  {
    at: '/balance',
    button: 'Exportar CSV: a receber',
    reads: '/v1/receivables/items',
    head: 'Disponível em (America/Sao_Paulo);',
  },
  {
    at: '/balance',
    button: 'Exportar CSV: já liquidados',
    reads: '/v1/receivables/items',
    query: { status: 'SETTLED', startDate: expect.stringMatching(DAY) },
    head: 'Disponível em (America/Sao_Paulo);',
  },
];

export function testExporting(): void {
  const visit = enterForEach();

  test.each(FILES)('at $at by $button saves $reads in the page’s language', async (file) => {
    const { at, button, reads, query = {}, head, as = 'text/csv', name = '.*' } = file;
    const { page } = visit;
    await page.route(
      ({ pathname }) => pathname === '/api/v1/receivables',
      (route) => route.fulfill({ json: { success: true, data: RECEIVABLES } }),
    );
    await page.goto(`/test${at}`);
    const sentRequest = page.waitForRequest(
      (request) => request.url().includes(`/api${reads}?`) && request.headers().accept === as,
    );
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();

    const sent = Object.fromEntries(new URL((await sentRequest).url()).searchParams);
    expect(sent).toEqual({ ...query, locale: 'pt-BR', timeZone: 'America/Sao_Paulo' });
    const ending = as === 'text/csv' ? 'csv' : 'ofx';
    expect((await saved).suggestedFilename()).toMatch(
      new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.${ending}$`),
    );
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text.replace('\ufeff', '').slice(0, head.length)).toBe(head);
  });

  test('shows the progress of a long file', async () => {
    const { page } = visit;
    await page.addInitScript(SLOW_FILES);
    await page.goto('/test/charges');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Exportar CSV' }).click();
    await page
      .getByRole('status')
      .getByText(/^Exportando: \d/)
      .waitFor();
    await page.evaluate('window.isWhole = true');
    await page.getByRole('status').getByText('Arquivo salvo').waitFor();

    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toMatch(/^(linha\n){2,}$/);
  });

  test('is in English on an English page', async () => {
    const english = await visitAsDemo({ language: 'en' });
    await english.page.goto('/test/statement?view=available');
    const saved = english.page.waitForEvent('download');
    await english.page.getByRole('button', { name: 'Export OFX' }).click();

    expect((await saved).suggestedFilename()).toMatch(/^statement-available-/);
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('<LANGUAGE>ENG');
    await english.leave();
  });
}
