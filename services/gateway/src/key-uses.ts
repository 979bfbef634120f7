import type { Database } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';
import { saveKeyUses } from './store/api-keys.ts';

const FLUSH_INTERVAL_MS = 3_000;

/**
 * Records when API keys are used. The times are saved some seconds later, so that no request waits for the
 * database.
 */
export interface KeyUses {
  record(keyId: string, at: Date): void;
  /** Saves the recorded times. A killed process loses the times of the last few seconds only. */
  stop(): Promise<void>;
}

export function startKeyUses(database: Database, log: Log, everyMs = FLUSH_INTERVAL_MS): KeyUses {
  let uses = new Map<string, Date>();

  function record(keyId: string, at: Date): void {
    const latest = uses.get(keyId);
    if (!latest || latest < at) uses.set(keyId, at);
  }

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    try {
      await saveKeyUses(database, taken);
    } catch (error) {
      for (const [keyId, at] of taken) record(keyId, at);
      throw error;
    }
  }

  const flushing = every({ everyMs, log, name: 'save uses of API keys', work: flush });
  return {
    record,
    async stop() {
      await flushing.stop();
      await flush().catch((error) => log.warn({ err: error }, 'last uses of API keys not saved'));
    },
  };
}
