import { Refusal } from '@plataforma/kernel';
import type { Response } from 'express';
import type { WebParts } from '../parts.ts';

interface Wanted {
  topic: string;
  slots: (holder: string) => (() => void) | undefined;
  /** Whose slot it takes; the topic's when left out. */
  holder?: string;
}

/** Then a browser connects again by itself, and who has logged out by now hears no more. */
const LONGEST_MS = 30 * 60 * 1_000;
const RECONNECT_MS = 2_000;
/** A browser that reads no more would have them kept here; when it connects again it reads everything anew. */
const MOST_UNREAD_BYTES = 64 * 1024;

/** Says that something has changed, and never what: the page reads it, as whoever it is. */
export function openStream(
  { live, tuning }: Pick<WebParts, 'live' | 'tuning'>,
  res: Response,
  wanted: Wanted,
): void {
  const { topic, slots, holder = topic } = wanted;
  const giveBack = slots(holder);
  if (!giveBack) throw new Refusal('limited', 'RATE_LIMITED', 'too many streams are open: ask now and then');
  res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  res.write(`retry: ${RECONNECT_MS}\n\n`);
  const write = (text: string): void => {
    if (res.writableLength > MOST_UNREAD_BYTES) res.destroy();
    else res.write(text);
  };
  const unsubscribe = live.subscribe(
    topic,
    (text) => write(`data: ${text}\n\n`),
    () => res.end(),
  );
  const heartbeat = setInterval(() => write(':\n\n'), tuning.heartbeatMs);
  const end = setTimeout(() => res.end(), LONGEST_MS);
  res.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(end);
    unsubscribe();
    giveBack();
  });
}
