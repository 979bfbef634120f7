import { randomUUID } from 'node:crypto';
import { newId } from '@plataforma/kernel';
import type { Platform } from '@plataforma/local';
import { monthSql, startOfMonth, withDatabase } from '@plataforma/testing';
import type pg from 'pg';
import { openLine } from './connections.ts';
import {
  atLeast,
  atMost,
  counted,
  type Figures,
  milliseconds,
  perSecond,
  type Row,
  said,
  times,
} from './figures.ts';
import { idOf } from './filling.ts';
import { asTheLedger } from './ledger.ts';
import { inTurn } from './measure.ts';
import { MANY, partOf } from './options.ts';
import type { Workbench } from './run.ts';

const MONTHS = 12;
const MERCHANTS = 1_000;
/** Each with and without those months. */
const ROUNDS = 4;
const WRITERS = 4;
const BESIDE_MS = 3_000;
const TABLES = ['outbox', 'inbox'] as const;

/** What the months of outbox and inbox cost: a credit at the ledger, and whoever writes while one of them is dropped. */
export async function months(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const line = await openLine(bench, platform);
  const rates = { few: 0, many: 0 };
  for (const which of inTurn<keyof typeof rates>('few', 'many', ROUNDS)) {
    await withDatabase(platform.databaseUrls.ledger, which === 'few' ? dropAhead : makeAhead);
    const merchants = Array.from({ length: MERCHANTS }, () => randomUUID());
    const rate = await asTheLedger({ platform, line }, merchants);
    bench.say(`  with ${which}: ${said(perSecond(rate))}`);
    rates[which] += rate / ROUNDS;
  }
  await platform.services.ledger.stop();
  const ratio = times(rates.many / rates.few);
  return {
    part: partOf('months'),
    about: `Credits of ${counted(MERCHANTS)} merchants by the ledger from its queue, ${ROUNDS} times in turn with the months that its migration makes and with ${MONTHS} more of outbox and inbox. Then a month of ${counted(MANY)} rows of the inbox is dropped while ${WRITERS} connections write to it, a transaction each.`,
    rows: [
      { what: 'credits, as migrated', value: perSecond(rates.few) },
      { what: `credits, with ${MONTHS} months more`, value: perSecond(rates.many) },
      { what: 'of those without', value: ratio, aim: atLeast(ratio, 0.97) },
      ...(await dropped(platform.databaseUrls.ledger)),
    ],
  };
}

async function makeAhead(client: pg.Client): Promise<void> {
  await dropAhead(client);
  for (const table of TABLES)
    for (let ahead = 4; ahead < MONTHS + 4; ahead += 1)
      await client.query(monthSql(table, startOfMonth(ahead)));
}

/** All but those that the service makes again at once. */
async function dropAhead(client: pg.Client): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
        WHERE inhparent = '${table}'::regclass AND c.relname > '${table}_' || to_char(now() + interval '3 months', 'YYYYMM')`,
    );
    for (const { name } of rows) await client.query(`DROP TABLE ${name}`);
  }
}

/** A month that is over: before all that the inbox has. */
async function dropped(url: string): Promise<Row[]> {
  const [quiet, busy] = await withDatabase(url, async (client) => {
    const past = startOfMonth(-6);
    await client.query(monthSql('inbox', past));
    await client.query(
      `INSERT INTO inbox SELECT ${idOf(`timestamptz '${past.toISOString()}' + interval '1 day'`)} FROM generate_series(1, ${MANY})`,
    );
    await client.query('CHECKPOINT');
    const before = await beside(url, () => new Promise((resolve) => setTimeout(resolve, BESIDE_MS)));
    return [before, await beside(url, () => dropNext(client))] as const;
  });
  const [took, wait] = [milliseconds(busy.tookMs), milliseconds(busy.longestMs)];
  return [
    { what: `dropping a month of ${counted(MANY)} rows`, value: took, aim: atMost(took, 1_000) },
    { what: 'the longest transaction of its writers meanwhile', value: wait, aim: atMost(wait, 100) },
    { what: `the same in ${BESIDE_MS / 1_000} s without`, value: milliseconds(quiet.longestMs) },
  ];
}

/** As the job does, which gets no lock at times and tries again; only the run that got it counts. */
async function dropNext(client: pg.Client): Promise<void> {
  const text = 'SELECT inbox_partitions(30, now()) AS done';
  let done: string | undefined;
  while (!done?.startsWith('dropped')) done = (await client.query<{ done: string[] }>(text)).rows[0]?.done[0];
}

async function beside(url: string, work: () => Promise<unknown>) {
  let isOver = false;
  let longestMs = 0;
  const write = (client: pg.Client) => client.query('INSERT INTO inbox (event_id) VALUES ($1)', [newId()]);
  const writers = Array.from({ length: WRITERS }, () =>
    withDatabase(url, async (client) => {
      await write(client);
      while (!isOver) {
        const begin = performance.now();
        await write(client);
        longestMs = Math.max(longestMs, performance.now() - begin);
      }
    }),
  );
  const begin = performance.now();
  try {
    await work();
  } finally {
    isOver = true;
  }
  const tookMs = performance.now() - begin;
  await Promise.all(writers);
  return { tookMs, longestMs };
}
