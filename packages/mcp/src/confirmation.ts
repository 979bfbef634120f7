import { createHash, randomUUID } from 'node:crypto';

type Arguments = Readonly<Record<string, unknown>>;

/** A requested change and the idempotency key of its request. A repeat of the change uses the same key. */
export interface Intent {
  /**
   * The digest of the tool and its arguments. A confirmation is valid only for this digest, so a change of
   * amount or payee needs a new confirmation.
   */
  digest: string;
  idempotencyKey: string;
}

/**
 * The lifetime of a confirmation code: long enough to read the question, and too short for later misuse of
 * the code.
 */
export const CONFIRMATION_LASTS_MS = 5 * 60_000;

export type Intents = ReturnType<typeof createIntents>;

/**
 * Creates the store of a connection's intents. It holds the intents that wait for a confirmation, and those
 * whose outcome is unconfirmed.
 */
export function createIntents(now: () => number = Date.now) {
  const pendingIntents = new Map<string, Intent & { endsAt: number }>();
  const unconfirmed = new Map<string, string>();

  return {
    /**
     * Returns the intent of a call. Its key is the first that exists: the caller's key, that of the confirmed
     * intent, that of an equal call without an answer. Otherwise the key is new.
     */
    of(tool: string, { confirm, idempotencyKey, ...args }: Arguments): Intent {
      const digest = digestOf(tool, args);
      const before = pendingIntents.get(String(confirm));
      const previous = before?.digest === digest ? before.idempotencyKey : unconfirmed.get(digest);
      return { digest, idempotencyKey: String(idempotencyKey ?? previous ?? randomUUID()) };
    },
    isRepeated: ({ digest }: Intent) => unconfirmed.has(digest),
    /** Stores the intent and returns a random code that confirms it. The model cannot guess the code. */
    ask(intent: Intent): string {
      for (const [confirm, { endsAt }] of pendingIntents) if (endsAt <= now()) pendingIntents.delete(confirm);
      const confirm = randomUUID();
      pendingIntents.set(confirm, { ...intent, endsAt: now() + CONFIRMATION_LASTS_MS });
      return confirm;
    },
    /**
     * Returns true if the code was issued for the same change and key and has not expired. A code is valid
     * once.
     */
    isConfirmed({ digest, idempotencyKey }: Intent, confirm: unknown): boolean {
      const found = pendingIntents.get(String(confirm));
      const isSame = found?.digest === digest && found.idempotencyKey === idempotencyKey;
      return isSame && pendingIntents.delete(String(confirm)) && found.endsAt > now();
    },
    start: ({ digest, idempotencyKey }: Intent) => void unconfirmed.set(digest, idempotencyKey),
    /**
     * Removes the stored idempotency key of a change, because the caller has received the answer. A later
     * equal change then gets a new key.
     */
    complete: ({ digest }: Intent) => void unconfirmed.delete(digest),
  };
}

function digestOf(tool: string, args: Arguments): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted(args)]))
    .digest('hex');
}

/** Sorts the fields, so that the same arguments in another order have the same digest. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
