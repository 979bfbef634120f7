import type { QueryClient } from '@tanstack/react-query';
import { environment } from './api.ts';

const HIDDEN_MS = 60_000;
const NAME = `live-${environment}`;
const tabs = new BroadcastChannel(NAME);

/**
 * Reads again each resource that the server reports as changed. A single tab holds the stream and notifies
 * the others, because six HTTP/1.1 streams would block all other requests.
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

/** Makes the other tabs read again the changes of this one that have no event. */
export function notifyTabs(changed: unknown): void {
  tabs.postMessage(changed);
}

/** The polling interval of pending objects, because the stream may miss an event. */
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
    // The lock belongs to the browser. When this tab is closed or hidden, the next tab takes it.
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
