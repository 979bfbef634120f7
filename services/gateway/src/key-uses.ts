import type { Database } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';
import { saveKeyUses } from './store/api-keys.ts';

const FLUSH_INTERVAL_MS = 3_000;

/** Remembers when API keys were used, and writes it down some seconds later: no request waits for that. */
export interface KeyUses {
  record(keyId: string, at: Date): void;
  /** Writes down what is remembered. A process that is killed forgets some seconds of uses, and nothing else. */
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
      await flush().catch((error) => log.warn({ err: error }, 'the last uses of API keys were not saved'));
    },
  };
}
