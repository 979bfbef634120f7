import { createHash, randomUUID } from 'node:crypto';

type Arguments = Readonly<Record<string, unknown>>;

/** A requested change and the only key under which it is made. */
export interface Intent {
  /** The digest of the tool and its arguments, so that another amount or payee needs another confirmation. */
  digest: string;
  idempotencyKey: string;
}

/** Long enough to read the question, too short to find the text later. */
export const CONFIRMATION_LASTS_MS = 5 * 60_000;

export type Intents = ReturnType<typeof createIntents>;

/**
 * Creates the intents of one connection: those that wait for a confirmation and those with an unconfirmed
 * outcome.
 */
export function createIntents(now: () => number = Date.now) {
  const pendingIntents = new Map<string, Intent & { endsAt: number }>();
  const unconfirmed = new Map<string, string>();

  return {
    /**
     * Takes the key from the caller, else from the confirmed intent, else from the same call with a lost
     * answer.
     */
    of(tool: string, { confirm, idempotencyKey, ...args }: Arguments): Intent {
      const digest = digestOf(tool, args);
      const before = pendingIntents.get(String(confirm));
      const previous = before?.digest === digest ? before.idempotencyKey : unconfirmed.get(digest);
      return { digest, idempotencyKey: String(idempotencyKey ?? previous ?? randomUUID()) };
    },
    isRepeated: ({ digest }: Intent) => unconfirmed.has(digest),
    /** Returns a random text that confirms the intent and can't be guessed. */
    ask(intent: Intent): string {
      for (const [confirm, { endsAt }] of pendingIntents) if (endsAt <= now()) pendingIntents.delete(confirm);
      const confirm = randomUUID();
      pendingIntents.set(confirm, { ...intent, endsAt: now() + CONFIRMATION_LASTS_MS });
      return confirm;
    },
    /** Returns true once, in time, and only for the same change under the same key. */
    isConfirmed({ digest, idempotencyKey }: Intent, confirm: unknown): boolean {
      const found = pendingIntents.get(String(confirm));
      const isSame = found?.digest === digest && found.idempotencyKey === idempotencyKey;
      return isSame && pendingIntents.delete(String(confirm)) && found.endsAt > now();
    },
    start: ({ digest, idempotencyKey }: Intent) => void unconfirmed.set(digest, idempotencyKey),
    /** Forgets the key, because the caller has the answer. */
    complete: ({ digest }: Intent) => void unconfirmed.delete(digest),
  };
}

function digestOf(tool: string, args: Arguments): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted(args)]))
    .digest('hex');
}

/** Sorts the fields, because clients send the same arguments in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
