import { createContext, useContext } from 'react';
import type { Environment } from './environment.ts';
import { storeOf } from './store.ts';

const TICK_MS = 15_000;
const now = storeOf(Date.now());
const aheadMs = storeOf(0);
const tick = () => now.set(Date.now());

/** One timer for all times on a page; none where the pages are drawn on a server. */
if (typeof window !== 'undefined') setInterval(tick, TICK_MS);

/** How far the sandbox is ahead, where the pages are the sandbox's: its own days and deadlines are by its clock. */
export function setAhead(seconds: number): void {
  if (seconds * 1_000 === aheadMs.get()) return;
  aheadMs.set(seconds * 1_000);
  tick();
}

/** Around what keeps the real time in a sandbox, too: requests, events, deliveries. */
export const RealTime = createContext(false);

/** The time of each environment, some seconds late, where things of both are shown. */
export function useTimes(): Record<Environment, number> {
  const production = now.use();
  return { production, sandbox: production + aheadMs.use() };
}

/** The time of what is shown, some seconds late; in pages of production nothing is ahead. */
export function useNow(): number {
  const { production, sandbox } = useTimes();
  return useContext(RealTime) ? production : sandbox;
}

/** The same where nothing is shown. */
export function currentTime(): number {
  return Date.now() + aheadMs.get();
}
