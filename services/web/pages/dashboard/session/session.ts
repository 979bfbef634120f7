import type { AccountView } from '@plataforma/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, call, environment } from '../../shared/api.ts';
import { forgetAllPending } from '../../shared/pending-changes.ts';

/**
 * The account of the session. The page asks the API for the account, because a script can't read the
 * session's cookie.
 */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call('GET /v1/account'),
  staleTime: 60_000,
  retry: false,
});

export function useAccount() {
  return useQuery(accountQuery).data;
}

/**
 * The key begins with the key of the account's query, so that a change of the account makes the logo stale
 * too.
 */
export const accountLogoQuery = queryOptions({
  queryKey: ['account', 'logo'],
  queryFn: () => call('GET /v1/account/logo'),
  staleTime: 60_000,
});

export function useAccountLogo(): string | null {
  return useQuery(accountLogoQuery).data?.logo ?? null;
}

/** Returns whether the account accepts cards. In the sandbox every account does. */
export function useTakesCards(): boolean {
  const account = useAccount();
  return environment === 'sandbox' || (account?.cardEnabled ?? false);
}

/**
 * Returns how much of this environment's daily limit is left, and when the limit starts again. Returns null
 * when the limit is unlimited or unknown.
 */
export function leftToday(today: AccountView['limits']['today']): { left: number; until: string } | null {
  const left = today?.[environment].left ?? null;
  if (today === null || left === null) return null;
  const until = environment === 'sandbox' ? today.sandbox.until : null;
  return { left, until: until ?? today.until };
}

export async function logIn(body: { email: string; password: string }): Promise<void> {
  await ask('POST', '/api/session', body);
}

export async function logOut(): Promise<void> {
  await ask('DELETE', '/api/session');
}

const CHANNEL = 'session';

/**
 * Makes all tabs leave the session after a log-out. Each tab deletes its stored requests that have no answer,
 * because they contain data of the account.
 */
export function leaveAllTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('logged-out');
  channel.close();
  leaveTab();
}

/** Makes this tab leave the session after a log-out in another tab. */
export function followLogOut(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = leaveTab;
  return () => channel.close();
}

/** Opens the log-in as a new document, so that no data of the account stays in memory. */
function leaveTab(): void {
  forgetAllPending();
  location.assign('/login');
}
