import { environment } from './api.ts';

/**
 * A request that was sent but has no answer yet. It survives a reload of its tab, so that a retry does not
 * count as a new request.
 */
interface PendingChange {
  key: string;
  /** The account of the session that sent the request. */
  account: string;
  at: number;
  input: unknown;
}

/**
 * A retry may use the stored key for this time. The API stores an Idempotency-Key for a day, which is much
 * longer.
 */
const PENDING_MS = 600_000;
const PREFIX = 'sent-';
const nameOf = (form: string) => `${PREFIX}${environment}-${form}`;

export function savePending(form: string, { key, account, input }: Omit<PendingChange, 'at'>): void {
  sessionStorage.setItem(nameOf(form), JSON.stringify({ key, account, at: Date.now(), input }));
}

export function forgetPending(form: string): void {
  sessionStorage.removeItem(nameOf(form));
}

/** Forgets the requests of both environments, so that no input remains in the tab after a log-out. */
export function forgetAllPending(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/**
 * Returns the pending request of a form. Returns null if another account sent the request, or if the request
 * is older than ten minutes.
 */
export function findPending(
  form: string,
  account: string | undefined,
): { key: string; input: unknown } | null {
  const stored = parsed(sessionStorage.getItem(nameOf(form)));
  if (!stored || account === undefined) return null;
  const { key, input } = stored;
  if (typeof key !== 'string' || stored.account !== account) return null;
  return typeof stored.at === 'number' && Date.now() - stored.at < PENDING_MS ? { key, input } : null;
}

function parsed(text: string | null): Partial<Record<keyof PendingChange, unknown>> | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
