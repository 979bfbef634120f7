import type { Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { z } from 'zod';
import { type Aim, atMost, milliseconds, type Row, times } from './figures.ts';
import { type Http, httpTo } from './http.ts';
import { spread } from './measure.ts';
import type { Workbench } from './run.ts';

const REQUESTS = 200;
const FILES = 30;
const MOST = 1.2;
const PAGE_LIMIT_MS = 50;

export const FEW = 10_000;
export const MANY = 1_000_000;

/**
 * API clients of the demo merchant, which has few rows in production (`small`) and many in the sandbox
 * (`large`).
 */
export interface Sizes {
  merchantId: string;
  small: Http;
  large: Http;
}

export async function sizesOf(bench: Workbench<Platform>): Promise<Sizes> {
  const { facts, databaseUrls } = await bench.platform();
  const { baseUrl, demo } = facts;
  const of = (key: string) => httpTo(bench, baseUrl, { headers: { 'x-api-key': key }, connections: 1 });
  const sql = 'SELECT organization_id AS id FROM users WHERE email = $1';
  const { rows } = await withDatabase(databaseUrls.gateway, (client) =>
    client.query<{ id: string }>(sql, [demo.email]),
  );
  return { merchantId: rows[0]?.id ?? '', small: of(demo.liveKey), large: of(demo.sandboxKey) };
}

export async function ofMany(large: Http, what: string, path: string, limitMs = PAGE_LIMIT_MS): Promise<Row> {
  const taken = spread(await timed(large, path, limitMs > PAGE_LIMIT_MS ? FILES : REQUESTS));
  return { what, ...taken, aim: p99Of(taken, limitMs) };
}

/**
 * Measures `path` on the long list and compares it with the short list. `ofFew` is the path for the short
 * list, if it differs.
 */
export async function besideSmall(
  { small, large }: Sizes,
  { what, path, ofFew = path }: { what: string; path: string; ofFew?: string },
): Promise<Row> {
  const before = spread(await timed(small, ofFew, REQUESTS));
  const after = spread(await timed(large, path, REQUESTS));
  const value = times(after.p50 / before.p50);
  const [share, p99] = [atMost(value, MOST), p99Of(after, PAGE_LIMIT_MS)];
  const aim = { words: `${share.words}, ${p99.words}`, isMet: share.isMet && p99.isMet };
  return { what, value, ...after, aim, note: `small: p50 ${before.p50.toFixed(1)} ms` };
}

/** Measures a page that a cursor selects, in the middle of the short list and deep in the long list. */
export async function halfWay(sizes: Sizes, first: string): Promise<Row> {
  const behind = async (merchant: Http, page: number) => {
    const answer = await merchant.send({ method: 'GET', path: `${first}&page=${page}` });
    return `${first}&after=${paged.parse(JSON.parse(answer.text)).meta.next}`;
  };
  const ofFew = await behind(sizes.small, FEW / 40);
  const path = await behind(sizes.large, 5_000);
  return besideSmall(sizes, { what: 'a cursor’s page, half-way', ofFew, path });
}

const paged = z.looseObject({ meta: z.looseObject({ next: z.string() }) });

/**
 * Measures the time until the first part of a file arrives. The note in the result contains the time for the
 * whole file.
 */
export async function firstByte(what: string, url: string, headers: Record<string, string>): Promise<Row> {
  const latencies: number[] = [];
  const ends: number[] = [];
  for (let n = 0; n < FILES * 1.1; n += 1) {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}: ${await answer.text()}`);
    for await (const _chunk of answer.body ?? []) {
      if (latencies.length === n) latencies.push(performance.now() - startedAt);
    }
    ends.push(performance.now() - startedAt);
  }
  const taken = spread(latencies.slice(FILES / 10));
  const whole = spread(ends.slice(FILES / 10));
  const note = `the whole file: p50 ${whole.p50.toFixed(1)} ms, p99 ${whole.p99.toFixed(1)} ms`;
  return { what, ...taken, aim: p99Of(taken, PAGE_LIMIT_MS), note };
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export const daysAgo = (from: number, to: number) => `startDate=${dayAgo(from)}&endDate=${dayAgo(to)}`;

function p99Of({ p99 }: { p99: number }, limitMs: number): Aim {
  const aim = atMost(milliseconds(p99), limitMs);
  return { ...aim, words: `p99 ${aim.words}` };
}

/** Returns the latencies. The first tenth of the requests is a warm-up and does not count. */
async function timed(merchant: Http, path: string, requests: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let n = 0; n < requests * 1.1; n += 1) {
    const startedAt = performance.now();
    const { status, text } = await merchant.send({ method: 'GET', path });
    if (status !== 200) throw new Error(`${path}: ${status}: ${text.slice(0, 200)}`);
    latencies.push(performance.now() - startedAt);
  }
  return latencies.slice(requests / 10);
}
