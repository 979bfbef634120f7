import type { AccountView } from '@plataforma/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, call, environment } from '../../shared/api.ts';
import { forgetAllPending } from '../../shared/pending-changes.ts';

/** The account of the browser's session, because no script can read the cookie. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call('GET /v1/account'),
  staleTime: 60_000,
  retry: false,
});

export function useAccount() {
  return useQuery(accountQuery).data;
}

/** Shares the account's key, so that each invalidation of the account includes the logo. */
export const accountLogoQuery = queryOptions({
  queryKey: ['account', 'logo'],
  queryFn: () => call('GET /v1/account/logo'),
  staleTime: 60_000,
});

export function useAccountLogo(): string | null {
  return useQuery(accountLogoQuery).data?.logo ?? null;
}

/** The sandbox accepts cards for every account. */
export function useTakesCards(): boolean {
  const account = useAccount();
  return environment === 'sandbox' || (account?.cardEnabled ?? false);
}

/**
 * Returns the remaining daily limit of this environment and its end. Returns null for no limit or an unknown
 * one.
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

/** Leaves all tabs at a log-out and forgets their unanswered requests. */
export function leaveAllTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('logged-out');
  channel.close();
  leaveTab();
}

/** Leaves this tab after a log-out in another one. */
export function followLogOut(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = leaveTab;
  return () => channel.close();
}

/** Loads a new document, which holds no data of the account. */
function leaveTab(): void {
  forgetAllPending();
  location.assign('/login');
}
