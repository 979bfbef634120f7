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

const KEPT = 1_000;

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
  const kept = readJson(file);
  const nothing: Memory = { after: null, known: new Set(), at: null };
  if (!('baseUrl' in kept && 'after' in kept && 'known' in kept && 'at' in kept)) return nothing;
  if (kept.baseUrl !== baseUrl || !Array.isArray(kept.known)) return nothing;
  const after = typeof kept.after === 'string' ? kept.after : null;
  return { after, known: new Set(kept.known.map(String)), at: new Date(String(kept.at)) };
}

/** Written after each event that was handled: a process that dies sends that one again at most. */
export function remember(file: string, baseUrl: string, { after, known }: Omit<Memory, 'at'>): void {
  writePrivately(file, { baseUrl, after, known: [...known].slice(-KEPT), at: new Date().toISOString() });
}
