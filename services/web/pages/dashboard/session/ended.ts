import { isLoggedOut } from '../../shared/api.ts';
import { storeOf } from '../../shared/store.ts';

const ended = storeOf(false);

/** Receives every error of a query or change. A missing session opens the log-in over the page. */
export function recordSessionEnd(error: unknown): void {
  if (isLoggedOut(error)) ended.set(true);
}

export const setSessionEnded = ended.set;
export const useSessionEnded = ended.use;
