/**
 * A delay that starts at `firstMs` and doubles after each attempt, up to `longestMs`. The attempts never end.
 */
export interface Doubling {
  kind: 'doubling';
  firstMs: number;
  longestMs: number;
  /**
   * The random part of each delay, from 0 (the default) to 1. It prevents all replicas from retrying at the
   * same moment.
   */
  jitter?: number;
}

/** A list with one delay for each attempt. After the last delay, no further attempt follows. */
export interface Steps {
  kind: 'steps';
  stepsMs: readonly number[];
}

export type Backoff = Doubling | Steps;

export interface Tried {
  /** The number of attempts so far, from 1. */
  attempts: number;
  now: Date;
}

/**
 * The largest exponent. Without this limit the power could become infinite. A millisecond doubled 50 times is
 * more than 35,000 years.
 */
const LARGEST_EXPONENT = 50;

/**
 * Returns the milliseconds to wait after this number of attempts (from 1), or null when no retry follows.
 * With jitter j, `random` (a number in [0, 1)) chooses a delay between (1 - j) and 1 times the full delay.
 */
export function delayAfter(backoff: Backoff, attempts: number, random = Math.random): number | null {
  const tried = Math.max(attempts, 1);
  if (backoff.kind === 'steps') return backoff.stepsMs[tried - 1] ?? null;
  const { firstMs, longestMs, jitter = 0 } = backoff;
  const delayMs = Math.min(firstMs * 2 ** Math.min(tried - 1, LARGEST_EXPONENT), longestMs);
  return delayMs * (1 - jitter + jitter * random());
}

/** Returns the time of the next attempt, or null when no retry follows. */
export function dueAfter(backoff: Backoff, { attempts, now }: Tried, random = Math.random): Date | null {
  const delayMs = delayAfter(backoff, attempts, random);
  return delayMs === null ? null : new Date(now.getTime() + delayMs);
}

/** Returns the later of `at` and `now`, so that work whose wait has already ended is due now. */
export function restUntil(at: Date, now: Date): Date {
  return at > now ? at : now;
}

/**
 * Returns the delay of `delayAfter` as SQL of an interval or NULL. `attempts` is SQL of an integer that
 * becomes part of the text unchanged, so it must never come from a user.
 */
export function delaySql(backoff: Backoff, attempts: string): string {
  const tried = `greatest(${attempts}, 1)`;
  if (backoff.kind === 'steps') {
    return `((ARRAY[${backoff.stepsMs.map(literal).join(', ')}]::float8[])[${tried}] * interval '1 millisecond')`;
  }
  const { firstMs, longestMs, jitter = 0 } = backoff;
  const doubled = `power(2::float8, least(${tried} - 1, ${LARGEST_EXPONENT}))`;
  const delay = `least(${literal(firstMs)} * ${doubled}, ${literal(longestMs)})`;
  const spread = jitter === 0 ? delay : `${delay} * (${literal(1 - jitter)} + ${literal(jitter)} * random())`;
  return `(${spread} * interval '1 millisecond')`;
}

function literal(value: number): string {
  if (!Number.isFinite(value) || value < 0) throw new RangeError('a delay must be a number, not negative');
  return String(value);
}
