import { readJson, stateFile, writePrivately } from '../profiles.ts';

/** A `listen`'s memory of the one before it. */
export interface Memory {
  /** The id of the last event that was handled: the position in the feed. Null: there was none yet. */
  after: string | null;
  /** The ids of the latest handled events. */
  known: ReadonlySet<string>;
  /** When the last one was written down. */
  at: Date | null;
}

const MAX_STORED_IDS = 1_000;

interface Listener {
  profile: string;
  isLive: boolean;
  /** Where it sends events; null: nowhere. */
  target: string | null;
}

/** Each target has its own: two that listen at once do not take events from each other. */
export async function memoryFile({ profile, isLive, target }: Listener): Promise<string> {
  const { createHash } = await import('node:crypto');
  const of = createHash('sha256')
    .update(target ?? '')
    .digest('hex')
    .slice(0, 8);
  return stateFile(`${profile}${isLive ? '-live' : ''}-${of}`);
}

export function recall(file: string, baseUrl: string): Memory {
  const stored = readJson(file);
  const nothing: Memory = { after: null, known: new Set(), at: null };
  if (!('baseUrl' in stored && 'after' in stored && 'known' in stored && 'at' in stored)) return nothing;
  if (stored.baseUrl !== baseUrl || !Array.isArray(stored.known)) return nothing;
  const after = typeof stored.after === 'string' ? stored.after : null;
  return { after, known: new Set(stored.known.map(String)), at: new Date(String(stored.at)) };
}

/** Written after each event that was handled: a process that dies sends that one again at most. */
export function remember(file: string, baseUrl: string, { after, known }: Omit<Memory, 'at'>): void {
  writePrivately(file, {
    baseUrl,
    after,
    known: [...known].slice(-MAX_STORED_IDS),
    at: new Date().toISOString(),
  });
}
