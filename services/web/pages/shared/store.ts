import { useSyncExternalStore } from 'react';

/** Creates a value outside of the components. A change of the value renders the components that use it. */
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
