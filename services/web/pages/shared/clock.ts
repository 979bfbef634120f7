import { createContext, useContext } from 'react';
import type { Environment } from './environment.ts';
import { storeOf } from './store.ts';

const TICK_MS = 15_000;
const now = storeOf(Date.now());
const aheadMs = storeOf(0);
const tick = () => now.set(Date.now());

/** A single timer updates all times of a page. The server has none. */
if (typeof window !== 'undefined') setInterval(tick, TICK_MS);

/** Sets the lead of the sandbox's clock, which its days and deadlines follow. */
export function setAhead(seconds: number): void {
  if (seconds * 1_000 === aheadMs.get()) return;
  aheadMs.set(seconds * 1_000);
  tick();
}

/** True around content with real time in a sandbox: requests, events, deliveries. */
export const RealTime = createContext(false);

/** Returns the time of each environment, up to a tick late, for pages that show both. */
export function useTimes(): Record<Environment, number> {
  const production = now.use();
  return { production, sandbox: production + aheadMs.use() };
}

/** Returns the time of the shown content, up to a tick late. Production has no lead. */
export function useNow(): number {
  const { production, sandbox } = useTimes();
  return useContext(RealTime) ? production : sandbox;
}

/** Returns the exact time, for use outside of components. */
export function currentTime(): number {
  return Date.now() + aheadMs.get();
}
