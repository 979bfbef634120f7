import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Environment } from './environment.ts';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let aheadMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** How far the sandbox is ahead, where the pages are the sandbox's: its own days and deadlines are by its clock. */
export function setAhead(seconds: number): void {
  if (seconds * 1_000 === aheadMs) return;
  aheadMs = seconds * 1_000;
  tick();
}

/** Around what keeps the real time in a sandbox, too: requests, events, deliveries. */
export const RealTime = createContext(false);

/** The time of each environment, some seconds late, where things of both are shown. */
export function useTimes(): Record<Environment, number> {
  const production = useSyncExternalStore(subscribe, () => now);
  const sandbox = useSyncExternalStore(subscribe, () => now + aheadMs);
  return { production, sandbox };
}

/** The time of what is shown, some seconds late; in pages of production nothing is ahead. */
export function useNow(): number {
  const { production, sandbox } = useTimes();
  return useContext(RealTime) ? production : sandbox;
}

/** The same where nothing is shown. */
export function currentTime(): number {
  return Date.now() + aheadMs;
}
