import { isLoggedOut } from '../../shared/api.ts';
import { storeOf } from '../../shared/store.ts';

const ended = storeOf(false);

/** Told by every query and change that the session refuses: the log-in then opens over the page. */
export function noteSession(error: unknown): void {
  if (isLoggedOut(error)) ended.set(true);
}

export const setSessionEnded = ended.set;
export const useSessionEnded = ended.use;
