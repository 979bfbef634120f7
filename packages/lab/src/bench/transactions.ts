import type { Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { z } from 'zod';
import { counted, type Figures, type Row } from './figures.ts';
import { type Http, httpTo } from './http.ts';
import { besideSmall, dayAgo, FEW, firstByte, ofMany } from './list-lines.ts';
import { MANY, partOf } from './options.ts';
import type { Workbench } from './run.ts';
import { fillWallet } from './wallet-history.ts';

const month = `startDate=${dayAgo(120)}&endDate=${dayAgo(91)}`;
const first = '/v1/transactions?limit=20';

/** What reads as much of a large wallet as of a small one. */
const short = [
  ['page 1', first],
  ['page 1, type', `${first}&type=FEE`],
  ['page 1, flow', `${first}&flow=in`],
  ['page 1, month', `${first}&${month}`],
  ['page 1 of the statement, month', `/v1/statement?limit=20&${month}`],
] as const;

/** What the small wallet has no rows for, or less of. */
const long = [
  ['page 5,000', `${first}&page=5000`],
  [
    'type and flow of 300 days, exact total',
    `${first}&type=FEE&flow=out&startDate=${dayAgo(330)}&endDate=${dayAgo(30)}`,
  ],
  ['page 5,000, type', `${first}&page=5000&type=FEE`],
  ['receivables by day', '/v1/receivables'],
  ['page 1 of receivables', '/v1/receivables/items?limit=20'],
  ['closings of 90 days', `/v1/statement/closings?startDate=${dayAgo(120)}&endDate=${dayAgo(31)}`],
] as const;

/** GET /v1/transactions and what else reads wallets, of one with ten thousand rows and of one with a million. */
export async function transactions(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo } = platform.facts;
  const merchantId = await merchantOf(platform);
  const ledger = platform.databaseUrls.ledger;
  await fillWallet(ledger, { merchantId, environment: 'production', rows: FEW });
  await fillWallet(ledger, { merchantId, environment: 'sandbox', rows: MANY });
  const small = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.liveKey }, connections: 1 });
  const large = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.sandboxKey }, connections: 1 });

  const rows: Row[] = [];
  for (const [what, path] of short) {
    rows.push(await besideSmall({ small, large }, { what, path, most: 1.2 }));
  }
  const cursors = {
    ofFew: await behind(small, FEW / 40),
    path: await behind(large, Math.min(5_000, MANY / 40)),
  };
  rows.push(
    await besideSmall({ small, large }, { what: 'a cursor’s page, half-way', ...cursors, most: 1.2 }),
  );
  for (const [what, path] of long) rows.push(await ofMany(large, { what, path }));
  rows.push(...(await files(baseUrl, demo.sandboxKey)));
  return {
    part: partOf('transactions'),
    about: `\`GET /v1/transactions\` and its siblings, of a wallet with ${counted(MANY)} rows over 365 days; the figures of page 1 and of a cursor are their p50 to that of a wallet with ${counted(FEW)}.`,
    rows,
  };
}

/** A day of the statement, as each file it may be had as. */
async function files(baseUrl: string, key: string): Promise<Row[]> {
  const day = `${baseUrl}/v1/statement?startDate=${dayAgo(60)}&endDate=${dayAgo(60)}`;
  const more = [
    ['first byte of a day’s CSV', day, 'text/csv'],
    ['the same in pt-BR', `${day}&locale=pt-BR`, 'text/csv'],
    ['the same as OFX', day, 'application/x-ofx'],
  ] as const;
  const rows: Row[] = [];
  for (const [what, url, accept] of more) {
    rows.push(await firstByte(what, url, { 'x-api-key': key, accept }));
  }
  return rows;
}

const paged = z.looseObject({ meta: z.looseObject({ next: z.string() }) });

async function behind(merchant: Http, page: number): Promise<string> {
  const { text } = await merchant.send({ method: 'GET', path: `${first}&page=${page}` });
  return `${first}&after=${paged.parse(JSON.parse(text)).meta.next}`;
}

export async function merchantOf({ facts, databaseUrls }: Platform): Promise<string> {
  const sql = 'SELECT organization_id AS id FROM users WHERE email = $1';
  const { rows } = await withDatabase(databaseUrls.gateway, (client) =>
    client.query<{ id: string }>(sql, [facts.demo.email]),
  );
  return rows[0]?.id ?? '';
}
