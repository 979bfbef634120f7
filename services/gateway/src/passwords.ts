import { createSlots } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
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
/** Bounds the memory of a flood; more than are hashed within the wait. */
const MAX_WAITING = 100;

export interface Passwords {
  /** Strangers name their network (`siteOf`). */
  hash(password: string, network?: string): Promise<string>;
  /** Takes as long when there is no hash to compare with, so that time does not tell who has an account. */
  verify(hash: string | undefined, password: string, network?: string): Promise<boolean>;
}

/**
 * A queue for each class of callers. `known` is for devices that have logged in before to an account that an operator has
 * approved: everybody opens accounts, and a few dozen of them would fill the queue.
 */
export interface PasswordQueues {
  known: Passwords;
  strangers: Passwords;
}

/** Both refuse with SERVICE_UNAVAILABLE when too many wait. Each hashes one at a time: a hash takes a core for tens of ms. */
export async function createPasswordQueues({
  longestWaitMs = LONGEST_WAIT_MS,
  cost = PASSWORD_COST,
} = {}): Promise<PasswordQueues> {
  const options = { type: argon2.argon2id, parallelism: 1, ...cost } as const;
  const decoy = await argon2.hash('nobody has this password', options);
  const newQueue = (perHolder: number): Passwords => {
    const inTurn = oneAtATime(longestWaitMs);
    const takePlace = createSlots({ total: Number.POSITIVE_INFINITY, perHolder });
    const inPlace = async <T>(holder: string, work: () => Promise<T>): Promise<T> => {
      const leave = takePlace(holder);
      if (!leave) throw tooMany();
      return work().finally(leave);
    };
    return {
      hash: (password, network) => {
        const work = () => inTurn(() => argon2.hash(opaque(password), options));
        return network === undefined ? work() : inPlace(network, work);
      },
      verify: (hash, password, network) =>
        // All forms in one turn: a refusal between two of them would say that nothing was tried.
        inPlace(network ?? hash ?? decoy, () =>
          inTurn(async () => {
            for (const form of formsOf(password))
              if (await argon2.verify(hash ?? decoy, form)) return hash !== undefined;
            return false;
          }),
        ),
    };
  };
  return { known: newQueue(OF_AN_ACCOUNT), strangers: newQueue(OF_A_NETWORK) };
}

/** One password, whichever keyboard composed its letters (OpaqueString of RFC 8265, 4.2). */
function opaque(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Releases up to 0.6.0 hashed a password as it was typed: composed, or decomposed as macOS sends some letters. */
function formsOf(password: string): Set<string> {
  return new Set([opaque(password), password, password.normalize('NFC'), password.normalize('NFD')]);
}

function oneAtATime(longestWaitMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  /** In the order in which they came. */
  const waiting = new Set<() => void>();
  let isBusy = false;

  async function turn(): Promise<void> {
    if (!isBusy) {
      isBusy = true;
      return;
    }
    if (waiting.size >= MAX_WAITING) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const tooLate = setTimeout(() => {
      waiting.delete(begin);
      reject(tooMany());
    }, longestWaitMs);
    function begin() {
      clearTimeout(tooLate);
      resolve();
    }
    waiting.add(begin);
    await promise;
  }

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else isBusy = false;
    }
  };
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many log in at once; try again shortly');
}
