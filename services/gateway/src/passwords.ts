import { createFairLine } from '@plataforma/data';
import { createSlots, LEAVES } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import argon2 from 'argon2';

/** The cost of one hash: memory in KiB, and the number of passes over it. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** The cost that OWASP's Password Storage Cheat Sheet recommends for argon2id. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2 };

/**
 * The maximum number of passwords of one account that may be compared or wait at a time, so that one account
 * does not delay others.
 */
const OF_AN_ACCOUNT = 4;
/**
 * For callers that the gateway does not recognize: the maximum number of passwords of one network that are
 * compared or wait at a time. A network is an IPv4 address or an IPv6 /48, for example an office.
 */
const OF_A_NETWORK = 12;
/**
 * The longest wait for a hash. If the wait would be longer, the request is refused, so that the caller can
 * retry.
 */
const LONGEST_WAIT_MS = 2_000;
/**
 * The number of slots of one queue. A password takes a slot while it waits or is compared. A caller gets its
 * nth slot (n > 1) only if 8n slots then stay free.
 */
const MOST_AT_ONCE = 110;

const AS_MANY_AS_HAVE_SLOTS = { perAccount: MOST_AT_ONCE, perClass: MOST_AT_ONCE };

export interface Passwords {
  /**
   * Hashes a password. Calls with the same `holder`, a network (`siteOf`), share the slots of that network. A
   * call without `holder` shares its slots with no other call.
   */
  hash(password: string, holder?: string): Promise<string>;
  /**
   * Compares a password. Without a `hash` the comparison takes the same time, so that callers cannot find out
   * which accounts exist.
   */
  verify(hash: string | undefined, password: string, network?: string): Promise<boolean>;
}

/**
 * The queues for passwords. Only known devices of approved accounts use `recognized`, because any caller can
 * open many accounts and fill a queue with their log-ins.
 */
export interface PasswordQueues {
  recognized: Passwords;
  strangers: Passwords;
}

/**
 * Creates the queues `recognized` and `strangers`. Each hashes one password at a time, because a hash
 * occupies a processor core. Networks or accounts take turns. A full queue throws SERVICE_UNAVAILABLE.
 */
export async function createPasswordQueues({
  longestWaitMs = LONGEST_WAIT_MS,
  cost = PASSWORD_COST,
} = {}): Promise<PasswordQueues> {
  const options = { type: argon2.argon2id, parallelism: 1, ...cost } as const;
  const decoy = await argon2.hash('nobody has this password', options);
  const newQueue = (perHolder: number): Passwords => {
    const line = createFairLine({
      total: 1,
      waiting: AS_MANY_AS_HAVE_SLOTS,
      waitMs: longestWaitMs,
      refuse: tooMany,
    });
    const takeSlot = createSlots({ total: MOST_AT_ONCE, perHolder, leaves: LEAVES });
    const inSlot = async <T>(holder: string, work: () => Promise<T>): Promise<T> => {
      const leave = takeSlot(holder);
      if (!leave) throw tooMany();
      return work().finally(leave);
    };
    return {
      hash: (password, holder = newId()) =>
        inSlot(holder, () => line.run({ network: holder }, () => argon2.hash(opaque(password), options))),
      verify: (hash, password, network) => {
        const holder = network ?? hash ?? decoy;
        return inSlot(holder, async () => {
          let waitMs = longestWaitMs;
          for (const form of formsOf(password)) {
            const compare = () => argon2.verify(hash ?? decoy, form);
            if (await line.run({ network: holder }, compare, waitMs)) return hash !== undefined;
            // A refusal means that no password was compared. So once the first form was compared, the other
            // forms of the password wait without a limit.
            waitMs = Number.POSITIVE_INFINITY;
          }
          return false;
        });
      },
    };
  };
  return { recognized: newQueue(OF_AN_ACCOUNT), strangers: newQueue(OF_A_NETWORK) };
}

/** Returns the same text for all ways in which keyboards encode a letter (OpaqueString of RFC 8265, 4.2). */
function opaque(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * Returns all forms of a password that a stored hash may match. Releases up to 0.6.0 hashed a password as it
 * arrived, and macOS sends some letters decomposed (NFD).
 */
function formsOf(password: string): Set<string> {
  return new Set([opaque(password), password, password.normalize('NFC'), password.normalize('NFD')]);
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many log-ins at once; try again shortly');
}
