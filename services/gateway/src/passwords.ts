import { availableParallelism } from 'node:os';
import { Refusal } from '@plataforma/kernel';
import argon2 from 'argon2';

/** argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet). */
const OPTIONS = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Some seconds of work: who comes later than that hears so at once. */
const MAX_WAITING = 100;

/** Each hash takes a core for tens of milliseconds: more at once would starve everything else. */
const MAX_AT_ONCE = Math.min(2, availableParallelism());

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long when there is no hash to compare with, so that time does not tell who has an account. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export async function createPasswords(atOnce = MAX_AT_ONCE): Promise<Passwords> {
  const decoy = await argon2.hash('nobody has this password', OPTIONS);
  const inTurn = limitedTo(atOnce);
  return {
    hash: (password) => inTurn(() => argon2.hash(password, OPTIONS)),
    verify: async (hash, password) => {
      const isRight = await inTurn(() => argon2.verify(hash ?? decoy, password));
      return isRight && hash !== undefined;
    },
  };
}

function limitedTo(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (waiting.length >= MAX_WAITING) {
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many log in at once; try again shortly');
    }
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
