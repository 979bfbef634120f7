import { useSyncExternalStore } from 'react';

/** Creates a global value that re-renders its users when it changes. */
export function storeOf<T>(first: T) {
  const listeners = new Set<() => void>();
  let current = first;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(next: T): void {
      current = next;
      for (const listener of listeners) listener();
    },
    get: () => current,
    use: () => useSyncExternalStore(subscribe, () => current),
  };
}
