import { environment } from './api.ts';

/** What has been sent and not been answered: a reload of its tab does not lose it, nor sends it as something new. */
interface Kept {
  key: string;
  /** Whose session sent it. */
  account: string;
  at: number;
  input: unknown;
}

/** Far below the day for which the API knows a key. */
const KEPT_MS = 600_000;
const PREFIX = 'sent-';
const nameOf = (form: string) => `${PREFIX}${environment}-${form}`;

export function keep(form: string, { key, account, input }: Omit<Kept, 'at'>): void {
  sessionStorage.setItem(nameOf(form), JSON.stringify({ key, account, at: Date.now(), input }));
}

export function forget(form: string): void {
  sessionStorage.removeItem(nameOf(form));
}

/** Of both environments: a session that is left leaves no form in its tab. */
export function forgetAll(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Null for another account, and when it is too long ago for its key to be known for certain. */
export function keptOf(form: string, account: string | undefined): { key: string; input: unknown } | null {
  const kept = parsed(sessionStorage.getItem(nameOf(form)));
  if (!kept || account === undefined) return null;
  const { key, input } = kept;
  if (typeof key !== 'string' || kept.account !== account) return null;
  return typeof kept.at === 'number' && Date.now() - kept.at < KEPT_MS ? { key, input } : null;
}

function parsed(text: string | null): Partial<Record<keyof Kept, unknown>> | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
