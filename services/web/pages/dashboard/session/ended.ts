import { isLoggedOut } from '../../shared/api.ts';
import { storeOf } from '../../shared/store.ts';

const ended = storeOf(false);

/**
 * Called with the error of every query and change. An error about a missing session opens the log-in over the
 * page.
 */
export function recordSessionEnd(error: unknown): void {
  if (isLoggedOut(error)) ended.set(true);
}

export const setSessionEnded = ended.set;
export const useSessionEnded = ended.use;
