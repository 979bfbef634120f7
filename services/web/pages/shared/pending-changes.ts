import { environment } from './api.ts';

/** A sent request without an answer. A reload of its tab keeps it, so that a retry is no new request. */
interface PendingChange {
  key: string;
  /** The account of the session that sent it. */
  account: string;
  at: number;
  input: unknown;
}

/** Far less than the day for which the API stores a key. */
const PENDING_MS = 600_000;
const PREFIX = 'sent-';
const nameOf = (form: string) => `${PREFIX}${environment}-${form}`;

export function savePending(form: string, { key, account, input }: Omit<PendingChange, 'at'>): void {
  sessionStorage.setItem(nameOf(form), JSON.stringify({ key, account, at: Date.now(), input }));
}

export function forgetPending(form: string): void {
  sessionStorage.removeItem(nameOf(form));
}

/** Forgets the requests of both environments, so that a log-out leaves no input in its tab. */
export function forgetAllPending(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Returns null for another account, or when the API may no longer know the key. */
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
