import { whenClosed } from '@plataforma/http';
import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import type { WebDependencies } from '../dependencies.ts';
import type { StreamKind } from '../live/hub.ts';

interface Stream {
  kind: StreamKind;
  /** The holder of the slot: a session, or the charge or visit of a buyer's page. */
  holder: string;
  /** Returns the topic that the caller may follow, or throws. */
  findTopic: () => Promise<Topic>;
}

interface Topic {
  topic: string;
  /** The account that holds the slot for a session's stream. Streams of buyers have no account. */
  tenant?: Tenant;
}

/**
 * A stream ends after this time, so that a browser that has logged out stops receiving. All other browsers
 * reconnect.
 */
const LONGEST_MS = 30 * 60 * 1_000;
const RECONNECT_MS = 2_000;
/**
 * The unread bytes that this process buffers for a slow browser before it disconnects the browser. The
 * browser then reconnects and reads its data again.
 */
const MOST_UNREAD_BYTES = 64 * 1024;

/**
 * Streams the names of changed resources; the page then reads the resources with its own permissions. A
 * stream takes a slot at once and releases it when the response closes, so disconnected callers use none.
 */
export async function serveStream(
  { live, addressOf, tuning }: Pick<WebDependencies, 'live' | 'addressOf' | 'tuning'>,
  { req, res }: { req: Request; res: Response },
  { kind, holder, findTopic }: Stream,
): Promise<void> {
  const release = live.takeSlot(kind, { holder, address: addressOf(req) });
  if (!release) throw new Refusal('limited', 'RATE_LIMITED', 'too many streams are open: poll instead');
  try {
    const { topic, tenant } = await findTopic();
    if (res.destroyed) return;
    const stream = () => streamUntilClosed({ live, tuning }, res, topic);
    await (tenant ? live.inAccountSlot(tenant, stream) : stream());
  } finally {
    release();
  }
}

function streamUntilClosed(
  { live, tuning }: Pick<WebDependencies, 'live' | 'tuning'>,
  res: Response,
  topic: string,
): Promise<void> {
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
  const { promise, resolve } = Promise.withResolvers<void>();
  whenClosed(res, () => {
    clearInterval(heartbeat);
    clearTimeout(end);
    unsubscribe();
    resolve();
  });
  return promise;
}
