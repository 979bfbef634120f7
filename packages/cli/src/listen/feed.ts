import { setTimeout as sleep } from 'node:timers/promises';
import type { Memory } from './memory.ts';

export interface FeedEvent {
  id: string;
  event: string;
  resourceId: string;
  sequence: number | null;
  data: Record<string, unknown>;
  createdAt: string;
}

interface FeedQuery {
  order?: 'asc';
  after?: string;
  startDate?: string;
  limit: number;
  wait?: number;
}

export interface Feed {
  read(query: FeedQuery): Promise<FeedEvent[]>;
  /** Classifies the error of a read. Throws the error if a retry cannot help. */
  sort(error: unknown): 'lost' | 'busy' | 'unknown position';
}

interface Reading {
  feed: Feed;
  memory: Pick<Memory, 'after' | 'handledIds'>;
  /** The start of the reading. Null means after the last handled event. */
  since: Date | 'now' | null;
  signal: AbortSignal;
  /**
   * Reports a change of the connection. `ready` is reported once, before the first event. The position is the
   * id of the last handled event, or null.
   */
  onChange(state: 'ready' | 'lost' | 'found', position: string | null): void;
}

const PAGE = 100;
const WAIT_SECONDS = 20;
/**
 * A new reader reads the 30 seconds before the newest event and marks these events as handled. Otherwise an
 * older event that was committed late would be shown as new.
 */
const OVERLAP_MS = 30_000;
/** If the API has no free slot for a long-polling request, the reader sends short requests for this time. */
const POLLED_MS = 30_000;
const POLL_EVERY_MS = 1_000;
const BACKOFF_MS = { first: 250, most: 15_000 };

/**
 * Yields each new event once, the oldest first, until the signal aborts. Reads again after a lost connection.
 */
export async function* follow(reading: Reading): AsyncGenerator<FeedEvent> {
  const { memory, signal } = reading;
  const at: Position = { after: memory.after, begin: reading.since, handledIds: new Set(memory.handledIds) };
  const next = readWithBackoff(reading, () => readOn(reading, at), at);
  while (!signal.aborted) {
    for (const event of await next()) {
      at.begin = null;
      at.after = event.id;
      if (at.handledIds.has(event.id)) continue;
      at.handledIds.add(event.id);
      yield event;
      if (signal.aborted) return;
    }
  }
}

interface Position {
  after: string | null;
  begin: Date | 'now' | null;
  handledIds: Set<string>;
  isReady?: true;
  /** The time until which the reader sends a short request each second instead of a long-polling request. */
  pollUntil?: number;
}

async function readOn({ feed, signal, onChange }: Reading, at: Position): Promise<FeedEvent[]> {
  if (at.begin === 'now') {
    at.after = await present(feed, at.handledIds);
    at.begin = at.after === null ? new Date(0) : null;
  }
  if (!at.isReady) onChange('ready', at.after);
  at.isReady = true;
  const isPolling = Date.now() < (at.pollUntil ?? 0);
  if (isPolling) await pause(POLL_EVERY_MS, signal);
  const from = at.begin instanceof Date ? { startDate: at.begin.toISOString() } : { after: at.after ?? '' };
  return feed.read({ order: 'asc', limit: PAGE, ...from, ...(isPolling ? {} : { wait: WAIT_SECONDS }) });
}

/**
 * Returns a function that reads events. After a failure it waits and returns no events, so that the caller's
 * loop reads again.
 */
function readWithBackoff(
  { feed, signal, onChange }: Reading,
  read: () => Promise<FeedEvent[]>,
  at: Position,
): () => Promise<FeedEvent[]> {
  let failures = 0;

  async function waitFor(error: unknown): Promise<void> {
    const failure = feed.sort(error);
    if (failure === 'busy') at.pollUntil = Date.now() + POLLED_MS;
    if (failure === 'unknown position') at.begin = 'now';
    if (failure !== 'lost') return;
    if (failures === 0) onChange('lost', at.after);
    failures += 1;
    await pause(Math.min(BACKOFF_MS.first * 2 ** failures, BACKOFF_MS.most), signal);
  }

  return async () => {
    try {
      const events = await read();
      if (failures > 0) onChange('found', at.after);
      failures = 0;
      return events;
    } catch (error) {
      if (!signal.aborted) await waitFor(error);
      return [];
    }
  };
}

/**
 * Returns the position of the newest event, or null if the account has no events. Marks the recent events
 * before it as handled.
 */
async function present(feed: Feed, handledIds: Set<string>): Promise<string | null> {
  const [newest] = await feed.read({ limit: 1 });
  if (!newest) return null;
  const newestAt = Date.parse(newest.createdAt) || Date.now();
  const startDate = new Date(newestAt - OVERLAP_MS).toISOString();
  let position: string | null = null;
  for (;;) {
    const at = position === null ? { startDate } : { after: position };
    const page = await feed.read({ order: 'asc', limit: PAGE, ...at });
    for (const { id } of page) handledIds.add(id);
    position = page.at(-1)?.id ?? position;
    if (page.length < PAGE) return position;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
