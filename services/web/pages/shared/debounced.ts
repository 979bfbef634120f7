import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 300;

/** The amount once typing pauses: one quote for it, and not one for each digit. */
export function useDebounced(cents: number): number {
  const [debounced, setDebounced] = useState(cents);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(cents), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [cents]);
  return debounced;
}
