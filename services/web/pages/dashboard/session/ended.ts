import { useSyncExternalStore } from 'react';
import { isLoggedOut } from '../../shared/api.ts';

const listeners = new Set<() => void>();
let isEnded = false;

/** Told by every query and change that the session refuses: the log-in then opens over the page. */
export function noteSession(error: unknown): void {
  if (isLoggedOut(error)) setSessionEnded(true);
}

export function setSessionEnded(ended: boolean): void {
  isEnded = ended;
  for (const listener of listeners) listener();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, () => isEnded);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
