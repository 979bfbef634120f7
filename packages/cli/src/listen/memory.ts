import { readJson, stateFile, writePrivately } from '../profiles.ts';

export interface Memory {
  /** The position in the feed, which is the id of the last handled event, or null. */
  after: string | null;
  handledIds: ReadonlySet<string>;
  /** The time at which the state was last written. Null if no state is stored. */
  at: Date | null;
}

const MAX_STORED_IDS = 1_000;

interface Listener {
  profile: string;
  isLive: boolean;
  /** The URL to which events are forwarded, or null if they are only shown. */
  target: string | null;
}

/**
 * Returns the state file for a target. Each target has its own file, so that two running listeners do not
 * change each other's position.
 */
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
  const nothing: Memory = { after: null, handledIds: new Set(), at: null };
  if (!('baseUrl' in stored && 'after' in stored && 'known' in stored && 'at' in stored)) return nothing;
  if (stored.baseUrl !== baseUrl || !Array.isArray(stored.known)) return nothing;
  const after = typeof stored.after === 'string' ? stored.after : null;
  return { after, handledIds: new Set(stored.known.map(String)), at: new Date(String(stored.at)) };
}

/**
 * Writes the state to the file. The listener calls this after each event, so a crash repeats at most one
 * event.
 */
export function remember(file: string, baseUrl: string, { after, handledIds }: Omit<Memory, 'at'>): void {
  writePrivately(file, {
    baseUrl,
    after,
    known: [...handledIds].slice(-MAX_STORED_IDS),
    at: new Date().toISOString(),
  });
}
