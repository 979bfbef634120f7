import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 300;

/** Returns the amount after a pause in typing, so that the page does not request a quote for every digit. */
export function useDebounced(cents: number): number {
  const [debounced, setDebounced] = useState(cents);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(cents), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [cents]);
  return debounced;
}
