import { createFairLine } from '@plataforma/data';
import { createSlots, LEAVES } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import argon2 from 'argon2';

/** The cost of one hash: KiB of memory, and passes over it. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** As OWASP's Password Storage Cheat Sheet asks of argon2id. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2 };

/** How many passwords of one account are compared or wait, so that no account delays the others. */
const OF_AN_ACCOUNT = 4;
/** The same of one network of strangers: a /48 of IPv6, in which there may be an office. */
const OF_A_NETWORK = 12;
/** A password that would wait longer to be hashed is refused at once, and its owner tries again. */
const LONGEST_WAIT_MS = 2_000;
/** Bounds the memory of a flood. A network with twelve, or an account, leaves eight times as many to others. */
const MOST_AT_ONCE = 110;

const AS_MANY_AS_HAVE_SLOTS = { perAccount: MOST_AT_ONCE, perClass: MOST_AT_ONCE };

export interface Passwords {
  /** Strangers name their network (`siteOf`) as the holder. */
  hash(password: string, holder?: string): Promise<string>;
  /** Takes as long when there is no hash to compare with, so that time does not tell who has an account. */
  verify(hash: string | undefined, password: string, network?: string): Promise<boolean>;
}

/**
 * A queue for each class of callers. `known` is for devices that have logged in before to an account that an operator has
 * approved: everybody opens accounts, and a few dozen of them would fill the queue.
 */
export interface PasswordQueues {
  recognized: Passwords;
  strangers: Passwords;
}

/**
 * Both refuse with SERVICE_UNAVAILABLE when too many wait. Each hashes one at a time, because a hash takes a core for tens of
 * ms; networks, or accounts, take turns.
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
            // A refusal between two forms would say that nothing was tried.
            waitMs = Number.POSITIVE_INFINITY;
          }
          return false;
        });
      },
    };
  };
  return { recognized: newQueue(OF_AN_ACCOUNT), strangers: newQueue(OF_A_NETWORK) };
}

/** One password, whichever keyboard composed its letters (OpaqueString of RFC 8265, 4.2). */
function opaque(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Releases up to 0.6.0 hashed a password as it was typed: composed, or decomposed as macOS sends some letters. */
function formsOf(password: string): Set<string> {
  return new Set([opaque(password), password, password.normalize('NFC'), password.normalize('NFD')]);
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many log in at once; try again shortly');
}
