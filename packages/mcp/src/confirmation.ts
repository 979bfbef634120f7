import { createHash, randomUUID } from 'node:crypto';

type Arguments = Readonly<Record<string, unknown>>;

/** A change as it was asked for, and the one key under which it is made. */
export interface Intent {
  /** The digest of the tool and its arguments: another amount or payee has another one. */
  digest: string;
  idempotencyKey: string;
}

/** Long enough to read, too short to be found later. */
export const CONFIRMATION_LASTS_MS = 5 * 60_000;

export type Intents = ReturnType<typeof createIntents>;

/** The intents of one connection: those that wait for a confirmation, and those with an unknown outcome. */
export function createIntents(now: () => number = Date.now) {
  const pendingIntents = new Map<string, Intent & { endsAt: number }>();
  const unconfirmed = new Map<string, string>();

  return {
    /** The key is the caller's; or that of what is confirmed; or that of the same call before, if its answer was lost. */
    of(tool: string, { confirm, idempotencyKey, ...args }: Arguments): Intent {
      const digest = digestOf(tool, args);
      const before = pendingIntents.get(String(confirm));
      const previous = before?.digest === digest ? before.idempotencyKey : unconfirmed.get(digest);
      return { digest, idempotencyKey: String(idempotencyKey ?? previous ?? randomUUID()) };
    },
    isRepeated: ({ digest }: Intent) => unconfirmed.has(digest),
    /** Returns the random text that confirms the intent, so that it can't be guessed. */
    ask(intent: Intent): string {
      for (const [confirm, { endsAt }] of pendingIntents) if (endsAt <= now()) pendingIntents.delete(confirm);
      const confirm = randomUUID();
      pendingIntents.set(confirm, { ...intent, endsAt: now() + CONFIRMATION_LASTS_MS });
      return confirm;
    },
    /** Works once, in time, and for that change under that key only. */
    isConfirmed({ digest, idempotencyKey }: Intent, confirm: unknown): boolean {
      const found = pendingIntents.get(String(confirm));
      const isSame = found?.digest === digest && found.idempotencyKey === idempotencyKey;
      return isSame && pendingIntents.delete(String(confirm)) && found.endsAt > now();
    },
    start: ({ digest, idempotencyKey }: Intent) => void unconfirmed.set(digest, idempotencyKey),
    /** Its answer has reached who asked. */
    complete: ({ digest }: Intent) => void unconfirmed.delete(digest),
  };
}

function digestOf(tool: string, args: Arguments): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted(args)]))
    .digest('hex');
}

/** Clients write the same arguments in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
