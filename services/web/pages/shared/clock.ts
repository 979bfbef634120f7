import { createContext, useContext } from 'react';
import type { Environment } from './environment.ts';
import { storeOf } from './store.ts';

const TICK_MS = 15_000;
const now = storeOf(Date.now());
const aheadMs = storeOf(0);
const tick = () => now.set(Date.now());

/** One timer updates all times of a page. On the server no timer runs. */
if (typeof window !== 'undefined') setInterval(tick, TICK_MS);

/**
 * Sets how many seconds the sandbox's clock is ahead. The days and deadlines in the sandbox follow that
 * clock.
 */
export function setAhead(seconds: number): void {
  if (seconds * 1_000 === aheadMs.get()) return;
  aheadMs.set(seconds * 1_000);
  tick();
}

/** True around content that shows the real time even in the sandbox: requests, events and deliveries. */
export const RealTime = createContext(false);

/** Returns the current time of each environment, for pages that show both. The time can be one tick old. */
export function useTimes(): Record<Environment, number> {
  const production = now.use();
  return { production, sandbox: production + aheadMs.use() };
}

/**
 * Returns the real time inside of `RealTime`, and the time of the environment's clock elsewhere. The returned
 * time can be one tick old.
 */
export function useNow(): number {
  const { production, sandbox } = useTimes();
  return useContext(RealTime) ? production : sandbox;
}

/** Returns the exact time of the environment's clock, for use outside of components. */
export function currentTime(): number {
  return Date.now() + aheadMs.get();
}
