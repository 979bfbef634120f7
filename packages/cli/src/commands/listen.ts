import { ApiError, ConnectionError } from '@plataforma/sdk';
import { isNear } from '@plataforma/sdk/transport';
import { requireApi, targetAddress } from '../addresses.ts';
import { type Command, type Connection, type Context, textOf } from '../context.ts';
import { type Feed, type FeedEvent, follow } from '../listen/feed.ts';
import { type Forwarded, forward } from '../listen/forward.ts';
import { type Memory, memoryFile, recall, remember } from '../listen/memory.ts';
import { since as agoOf, clock } from '../output/times.ts';
import { listenSecretOf } from '../profiles.ts';
import { eventTypes, liveUpdates } from '../trigger/fixtures.ts';
import { WrongUse } from '../wrong-use.ts';

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/**
 * `listen` resumes at the stored position only if that position is at most an hour old. For older events the
 * user must give `--since`.
 */
const RESUMED_MS = 3_600_000;

interface Counts {
  events: number;
  delivered: number;
  failed: number;
}

/**
 * Shows events as they happen. Forwards each event to a local server, signed as the platform signs a webhook.
 */
export const listen: Command = {
  isEndless: true,
  options: {
    'forward-to': { type: 'string' },
    events: { type: 'string', values: eventTypes },
    since: { type: 'string' },
  },
  async run(context) {
    const { words, terminal, profile, isLive, signal } = context;
    const target = targetOf(textOf(context, 'forward-to'), context);
    const eventFilter = eventFilterOf(textOf(context, 'events'), context);
    const connection = context.connect();
    // Check the address first, because the event feed would retry without end if no API is at this address.
    await requireApi(connection.baseUrl, words);
    const file = await memoryFile({ profile, isLive, target: target?.href ?? null });
    const memory = recall(file, connection.baseUrl);
    const since = sinceOf(textOf(context, 'since'), context) ?? resumedAt(memory, context);
    const secret = listenSecretOf(profile);
    const counts: Counts = { events: 0, delivered: 0, failed: 0 };
    const handledIds = new Set(memory.handledIds);

    const events = follow({
      feed: feedOf(connection, signal),
      memory,
      since,
      signal,
      onChange: (state, position) => {
        if (state !== 'ready') return terminal.info(words.connection[state]);
        remember(file, connection.baseUrl, { after: position, handledIds });
        announce(context, { target, secret, eventFilter });
      },
    });
    for await (const event of events) {
      if (eventFilter === null || eventFilter.has(event.event)) {
        const sent = target && (await forward(target.href, event, secret));
        count(counts, sent);
        show(context, { event, sent, counts, target });
      }
      handledIds.add(event.id);
      remember(file, connection.baseUrl, { after: event.id, handledIds });
    }
    terminal.progress('');
    terminal.info(words.counted(counts));
  },
};

function feedOf({ plataforma }: Connection, signal: AbortSignal): Feed {
  return {
    // Disable the client's retries, because `follow` retries and shows each failure itself.
    read: async (query) => (await plataforma.events.list(query, { signal, maxRetries: 0 }).page(1)).data,
    sort(error) {
      if (error instanceof ConnectionError) return 'lost';
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 400 && error.message.startsWith('after:')) return 'unknown position';
      if (error.code === 'SERVICE_UNAVAILABLE') return 'busy';
      if (error.status === 429 || error.status >= 500) return 'lost';
      throw error;
    },
  };
}

/**
 * Returns null to resume at the stored position, or 'now' if nothing was written within the last hour. If no
 * position is stored, returns the time of the last write.
 */
function resumedAt({ after, at }: Memory, { words, terminal }: Context): Date | 'now' | null {
  if (at === null) return 'now';
  if (Date.now() - at.getTime() > RESUMED_MS) {
    terminal.info(words.notResumed(agoOf(at)));
    return 'now';
  }
  return after === null ? at : null;
}

function announce(
  { words, terminal, isJson }: Context,
  {
    target,
    secret,
    eventFilter,
  }: { target: URL | null; secret: string; eventFilter: ReadonlySet<string> | null },
): void {
  if (isJson) return;
  terminal.info(words.listening(target?.href ?? null));
  if (target) terminal.info(words.signedWith(terminal.paint('bold', secret)));
  if (target && !isNear(target.hostname)) terminal.info(terminal.paint('yellow', words.leaves(target.host)));
  const named = liveUpdates.filter((liveUpdate) => eventFilter?.has(liveUpdate));
  if (named.length > 0) terminal.info(words.areLiveUpdates(named.join(', ')));
  terminal.info(words.untilCtrlC);
}

interface Shown {
  event: FeedEvent;
  sent: Forwarded | null;
  counts: Counts;
  target: URL | null;
}

function count(counts: Counts, sent: Forwarded | null): void {
  counts.events += 1;
  if (sent === null) return;
  if (isDelivered(sent)) counts.delivered += 1;
  else counts.failed += 1;
}

function isDelivered({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

function show({ words, terminal, isJson }: Context, { event, sent, counts, target }: Shown): void {
  if (isJson) {
    terminal.print(JSON.stringify({ ...event, forwarded: sent }));
    return;
  }
  const { paint } = terminal;
  const line = `${paint('dim', clock(event.createdAt))}  ${paint('bold', event.event.padEnd(21))} ${event.resourceId}`;
  if (sent === null) terminal.print(line);
  else {
    const how = paint(isDelivered(sent) ? 'green' : 'red', String(sent.status ?? sent.failure));
    terminal.print(`${line}  → ${how}  ${sent.ms} ms`);
  }
  if (target && sent?.failure === 'ECONNREFUSED') {
    terminal.info(paint('yellow', words.nothingListens(target.href)));
  }
  if (target && sent?.status === 401) terminal.info(paint('yellow', words.otherSecret(target.href)));
  terminal.progress(paint('dim', words.counted(counts)));
}

function targetOf(text: string | undefined, { words }: Context): URL | null {
  return text === undefined ? null : targetAddress(text, words);
}

function eventFilterOf(text: string | undefined, { words }: Context): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !eventTypes.includes(name));
  if (unknown !== undefined) throw new WrongUse(words.noSuchEvent(unknown, eventTypes.join(', ')));
  return new Set(names);
}

function sinceOf(text: string | undefined, { words }: Context): Date | null {
  if (text === undefined) return null;
  const [, digits, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const ms = UNITS_MS[unit];
  if (digits === undefined || ms === undefined) throw new WrongUse(words.badSince(text));
  return new Date(Date.now() - Number(digits) * ms);
}
