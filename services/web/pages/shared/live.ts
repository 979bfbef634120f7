import type { QueryClient } from '@tanstack/react-query';
import { environment } from './api.ts';

const HIDDEN_MS = 60_000;
const NAME = `live-${environment}`;
const tabs = new BroadcastChannel(NAME);

/**
 * Repeats each query that the server reports as changed. Only one tab opens the stream and notifies the other
 * tabs, because six streams would occupy all HTTP/1.1 connections of the browser to this site.
 */
export function startLive(client: QueryClient): () => void {
  const ended = new AbortController();
  tabs.onmessage = ({ data }) => readAgain(client, data);
  void leadWhileVisible(ended.signal, (changed) => {
    readAgain(client, changed);
    notifyTabs(changed);
  });
  return () => {
    ended.abort();
    tabs.onmessage = null;
  };
}

/**
 * Makes the other tabs read the queries that a change in this tab made stale. Only changes without an event
 * need this function.
 */
export function notifyTabs(changed: unknown): void {
  tabs.postMessage(changed);
}

/** The interval at which pages poll pending objects, because the stream may miss an event. */
export const POLL_MS = 15_000;

function readAgain(client: QueryClient, changed: unknown): void {
  if (!Array.isArray(changed)) return;
  void client.invalidateQueries({ predicate: ({ queryKey }) => changed.includes(queryKey[0]) });
}

type Notify = (changed: unknown) => void;

async function leadWhileVisible(ended: AbortSignal, notify: Notify): Promise<void> {
  while (!ended.aborted) {
    await visible(ended);
    const gone = AbortSignal.any([ended, hiddenForLong()]);
    // All tabs of the browser share this lock. When the tab with the lock is closed or hidden, another tab
    // gets the lock.
    await navigator.locks.request(NAME, { signal: gone }, () => stream(gone, notify)).catch(() => undefined);
  }
}

function stream(ended: AbortSignal, notify: Notify): Promise<void> {
  if (ended.aborted) return Promise.resolve();
  const source = new EventSource(`/api/stream?environment=${environment}`);
  source.onmessage = ({ data }) => notify(changedIn(data));
  return new Promise((resolve) => {
    ended.addEventListener('abort', () => {
      source.close();
      resolve();
    });
  });
}

function changedIn(text: string): unknown {
  try {
    return JSON.parse(text).changed;
  } catch {
    return [];
  }
}

function visible(ended: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible' || ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
    ended.addEventListener('abort', () => resolve());
  });
}

function hiddenForLong(): AbortSignal {
  const gone = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener(
    'visibilitychange',
    () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(() => gone.abort(), HIDDEN_MS);
    },
    { signal: gone.signal },
  );
  return gone.signal;
}
