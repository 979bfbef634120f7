/** A delay of `firstMs` that doubles after each attempt up to `longestMs`, without an end. */
export interface Doubling {
  kind: 'doubling';
  firstMs: number;
  longestMs: number;
  /** The random share of each delay, from 0 (the default) to 1, so that replicas spread. */
  jitter?: number;
}

/** One delay for each attempt; no retry follows the last one. */
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

/** A millisecond doubled 50 times is more than 35,000 years. The limit keeps the power a finite number. */
const LARGEST_EXPONENT = 50;

/**
 * Returns the milliseconds to wait after this many attempts (from 1), or null when no retry follows. With
 * jitter j, a delay is (1 - j) to 1 times its full length, by `random`, a number in [0, 1).
 */
export function delayAfter(backoff: Backoff, attempts: number, random = Math.random): number | null {
  const tried = Math.max(attempts, 1);
  if (backoff.kind === 'steps') return backoff.stepsMs[tried - 1] ?? null;
  const { firstMs, longestMs, jitter = 0 } = backoff;
  const delayMs = Math.min(firstMs * 2 ** Math.min(tried - 1, LARGEST_EXPONENT), longestMs);
  return delayMs * (1 - jitter + jitter * random());
}

/** Returns when the next attempt is due, or null when no retry follows. */
export function dueAfter(backoff: Backoff, { attempts, now }: Tried, random = Math.random): Date | null {
  const delayMs = delayAfter(backoff, attempts, random);
  return delayMs === null ? null : new Date(now.getTime() + delayMs);
}

/** Returns the later of `at` and `now`, so that a wait that is over is due at once. */
export function restUntil(at: Date, now: Date): Date {
  return at > now ? at : now;
}

/**
 * Returns the same delay as SQL: an interval or NULL. `attempts` is SQL of an integer and goes into the text
 * unchanged, so it must never come from a user.
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
