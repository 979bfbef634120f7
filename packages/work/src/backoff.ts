/** `firstMs` after the first attempt, twice as much after each further one, at most `longestMs`; without an end. */
export interface Doubling {
  kind: 'doubling';
  firstMs: number;
  longestMs: number;
  /** From 0, the default, to 1: the share of each delay that is left to chance, so that replicas spread. */
  jitter?: number;
}

/** A delay for each attempt; after the last one there is no further try. */
export interface Steps {
  kind: 'steps';
  stepsMs: readonly number[];
}

/** When failed work is tried again, as data. */
export type Backoff = Doubling | Steps;

export interface Tried {
  /** How often it was tried, from 1 on. */
  attempts: number;
  now: Date;
}

/** Past this exponent a doubled millisecond is longer than a million years; the power stays a finite number. */
const LARGEST_EXPONENT = 50;

/**
 * How many milliseconds to wait after so many attempts, from 1 on; null when no further try is due. `random` answers
 * a number in [0, 1): with jitter j a delay lies between its (1 - j)th part and the whole.
 */
export function delayAfter(backoff: Backoff, attempts: number, random = Math.random): number | null {
  const tried = Math.max(attempts, 1);
  if (backoff.kind === 'steps') return backoff.stepsMs[tried - 1] ?? null;
  const { firstMs, longestMs, jitter = 0 } = backoff;
  const delayMs = Math.min(firstMs * 2 ** Math.min(tried - 1, LARGEST_EXPONENT), longestMs);
  return delayMs * (1 - jitter + jitter * random());
}

/** When the next try is due; null when no further one is. */
export function dueAfter(backoff: Backoff, { attempts, now }: Tried, random = Math.random): Date | null {
  const delayMs = delayAfter(backoff, attempts, random);
  return delayMs === null ? null : new Date(now.getTime() + delayMs);
}

/** The later of a rest that was agreed on and the time now: a rest that is over is due at once. */
export function restUntil(at: Date, now: Date): Date {
  return at > now ? at : now;
}

/**
 * The same delay as an SQL expression, an interval or NULL. `attempts` is an SQL expression of an integer, written by
 * the caller, never by a user: it stands in the text as it is.
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
