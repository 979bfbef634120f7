import { type Aim, atMost, milliseconds, type Row, times } from './figures.ts';
import type { Http } from './http.ts';
import { spread } from './measure.ts';
import { IS_LONGER } from './options.ts';
import type { Workbench } from './run.ts';

const REQUESTS = 200;
const FILES = 30;

/** What is asked of a long list, and how long the slowest but one in a hundred may take. */
export interface Line {
  what: string;
  path: string;
  limitMs?: number;
  requests?: number;
  /** Longer lists only say their figure, unless. */
  isAimedAtAnyLength?: boolean;
}

/** The same list of two owners, with few rows and with many. */
export interface Sizes {
  small: Http;
  large: Http;
}

/** A line of the results, and how it comes about. */
export interface Measuring {
  what: string;
  measure: () => Promise<Row>;
}

/** One line after the other: one that fails, or misses its aim, is said with its note and what was logged last. */
export async function inTurn(bench: Workbench<unknown>, lines: readonly Measuring[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, measure } of lines) {
    const row = await measure().catch((error: unknown) => failed(what, error));
    if (row.aim?.isMet === false) bench.say(`${what}: ${row.note ?? 'misses its aim'}\n${bench.lastWords()}`);
    rows.push(row);
  }
  return rows;
}

function failed(what: string, error: unknown): Row {
  const note = error instanceof Error ? error.message : String(error);
  return { what, aim: { words: 'an answer', isMet: false }, note };
}

export async function ofMany(
  large: Http,
  { what, path, limitMs = 50, requests = REQUESTS, isAimedAtAnyLength = false }: Line,
): Promise<Row> {
  const { latencies, refusals } = await timed(large, path, requests);
  const taken = spread(latencies);
  const aim = p99Of(taken, limitMs);
  if (refusals.length === 0) return { what, ...taken, ...(isAimedAtAnyLength ? { aim } : aimed(aim)) };
  return { what, ...taken, aim: { ...aim, isMet: false }, note: `${refusals.length} × ${refusals[0]}` };
}

/** `ofFew`: the path that means the same among few rows. */
export async function besideSmall(
  { small, large }: Sizes,
  { what, path, ofFew = path, most }: Line & { ofFew?: string; most: number },
): Promise<Row> {
  const before = spread((await timed(small, ofFew, REQUESTS)).latencies);
  const after = spread((await timed(large, path, REQUESTS)).latencies);
  const value = times(after.p50 / before.p50);
  const aim = both(atMost(value, most), p99Of(after, 50));
  return { what, value, ...after, aim, note: `small: p50 ${before.p50.toFixed(1)} ms` };
}

/** Until the first rows of a file are there, and in the note until all are. */
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
  return { what, ...taken, ...aimed(p99Of(taken, 50)), note };
}

/** `YYYY-MM-DD`, so many days before today. */
export const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export const FEW = 10_000;

function aimed(aim: Aim): { aim?: Aim } {
  return IS_LONGER ? {} : { aim };
}

function p99Of({ p99 }: { p99: number }, limitMs: number): Aim {
  const aim = atMost(milliseconds(p99), limitMs);
  return { ...aim, words: `p99 ${aim.words}` };
}

function both(one: Aim, other: Aim): Aim {
  return { words: `${one.words}, ${other.words}`, isMet: one.isMet && other.isMet };
}

/** What is refused for taking too long is a figure, too. */
async function timed(merchant: Http, path: string, requests: number) {
  const latencies: number[] = [];
  const refusals: string[] = [];
  for (let n = 0; n < requests * 1.1; n += 1) {
    const startedAt = performance.now();
    const { status, text } = await merchant.send({ method: 'GET', path });
    if (status !== 200 && status !== 503) throw new Error(`${path}: ${status}: ${text.slice(0, 200)}`);
    if (status === 503) refusals.push(`${path}: 503`);
    latencies.push(performance.now() - startedAt);
  }
  return { latencies: latencies.slice(requests / 10), refusals };
}
