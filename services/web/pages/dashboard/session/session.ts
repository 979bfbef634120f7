import type { AccountView } from '@plataforma/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, call, environment } from '../../shared/api.ts';
import { forgetAllPending } from '../../shared/pending-changes.ts';

/** Whose session the browser holds: the cookie itself is seen by no script. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call('GET /v1/account'),
  staleTime: 60_000,
  retry: false,
});

export function useAccount() {
  return useQuery(accountQuery).data;
}

/** With what is read of the account, so that what makes that out of date does it here too. */
export const accountLogoQuery = queryOptions({
  queryKey: ['account', 'logo'],
  queryFn: () => call('GET /v1/account/logo'),
  staleTime: 60_000,
});

export function useAccountLogo(): string | null {
  return useQuery(accountLogoQuery).data?.logo ?? null;
}

/** True where the account takes cards: the sandbox takes them of every account. */
export function useTakesCards(): boolean {
  const account = useAccount();
  return environment === 'sandbox' || (account?.cardEnabled ?? false);
}

/** What a day leaves of the daily limit, and until when, in this environment; null: there is no limit, or nothing is known. */
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

/** A log-out in one tab shows in the others, and no tab keeps what it had sent. */
export function leaveAllTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('logged-out');
  channel.close();
  leaveTab();
}

/** Of a log-out in another tab. */
export function followLogOut(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = leaveTab;
  return () => channel.close();
}

/** A page that is loaded anew holds nothing of the account that was left. */
function leaveTab(): void {
  forgetAllPending();
  location.assign('/login');
}
