import { isLoggedOut } from '../../shared/api.ts';
import { storeOf } from '../../shared/store.ts';

const ended = storeOf(false);

/** Called with every error of a query or change: at the end of a session the log-in opens over the page. */
export function recordSessionEnd(error: unknown): void {
  if (isLoggedOut(error)) ended.set(true);
}

export const setSessionEnded = ended.set;
export const useSessionEnded = ended.use;
