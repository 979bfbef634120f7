import { environment } from './api.ts';

/** What has been sent and not been answered: a reload of its tab does not lose it, nor sends it as something new. */
interface PendingChange {
  key: string;
  /** Whose session sent it. */
  account: string;
  at: number;
  input: unknown;
}

/** Far below the day for which the API knows a key. */
const PENDING_MS = 600_000;
const PREFIX = 'sent-';
const nameOf = (form: string) => `${PREFIX}${environment}-${form}`;

export function savePending(form: string, { key, account, input }: Omit<PendingChange, 'at'>): void {
  sessionStorage.setItem(nameOf(form), JSON.stringify({ key, account, at: Date.now(), input }));
}

export function forgetPending(form: string): void {
  sessionStorage.removeItem(nameOf(form));
}

/** Of both environments: a session that is left leaves no form in its tab. */
export function forgetAllPending(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Null for another account, and when it is too long ago for its key to be known for certain. */
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
