import { createFairLine } from '@plataforma/data';
import { createSlots, LEAVES } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import argon2 from 'argon2';

/** The cost of one hash: memory in KiB, and passes over it. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** The recommendation of OWASP's Password Storage Cheat Sheet for argon2id. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2 };

/** The most passwords of one account that are compared or wait, so that no account delays the others. */
const OF_AN_ACCOUNT = 4;
/** The same for one network of strangers: an IPv4 address or an IPv6 /48, which may be an office. */
const OF_A_NETWORK = 12;
/** The longest wait for a hash; a longer one is refused at once, so that the caller can retry. */
const LONGEST_WAIT_MS = 2_000;
/**
 * Bounds the memory of a flood. A holder's further slot needs eight times its share free, so that few holders
 * cannot take all.
 */
const MOST_AT_ONCE = 110;

const AS_MANY_AS_HAVE_SLOTS = { perAccount: MOST_AT_ONCE, perClass: MOST_AT_ONCE };

export interface Passwords {
  /** `holder` is the network (`siteOf`) of a stranger; without it each call has a holder of its own. */
  hash(password: string, holder?: string): Promise<string>;
  /**
   * Takes the same time without a hash to compare with, so that the time does not reveal which accounts
   * exist.
   */
  verify(hash: string | undefined, password: string, network?: string): Promise<boolean>;
}

/**
 * A queue for each class of callers. `recognized` is for known devices at approved accounts. Any caller may
 * open accounts, so a few dozen unapproved ones could fill the queue.
 */
export interface PasswordQueues {
  recognized: Passwords;
  strangers: Passwords;
}

/**
 * Creates both queues, which throw SERVICE_UNAVAILABLE when too many passwords wait. Each hashes one password
 * at a time, because a hash takes a core for tens of ms. Networks, or accounts, take turns.
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
            // No limit from the second form on, because a refusal would claim that no password was tried.
            waitMs = Number.POSITIVE_INFINITY;
          }
          return false;
        });
      },
    };
  };
  return { recognized: newQueue(OF_AN_ACCOUNT), strangers: newQueue(OF_A_NETWORK) };
}

/**
 * Returns the same text for all ways in which a keyboard composes letters (OpaqueString of RFC 8265, 4.2).
 */
function opaque(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * Returns the forms to compare, because releases up to 0.6.0 hashed the password as it came: composed, or
 * decomposed as macOS sends some letters.
 */
function formsOf(password: string): Set<string> {
  return new Set([opaque(password), password, password.normalize('NFC'), password.normalize('NFD')]);
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many log-ins at once; try again shortly');
}
