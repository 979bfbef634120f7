import { useEffect, useState } from 'react';

const SETTLED_MS = 300;

/** The amount once typing pauses: one quote for it, and not one for each digit. */
export function useSettled(cents: number): number {
  const [settled, setSettled] = useState(cents);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(cents), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [cents]);
  return settled;
}
