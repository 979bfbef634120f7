import { Refusal } from '@plataforma/kernel';

/** A lookup of a Pix key's owner that counts towards the merchant's limit. */
export interface CountedLookup {
  cost: number;
  createdAt: Date;
}

/** The costs of a lookup. An unknown key costs more, so that guesses soon reach the limit. */
export const KNOWN_KEY = 1;
export const UNKNOWN_KEY = 5;

export const DAY_SECONDS = 86_400;
const limits = [
  { seconds: 3_600, most: 60 },
  { seconds: DAY_SECONDS, most: 300 },
] as const;

/** The refusal of a lookup beyond the limit. `seconds` is the time until the merchant may look up a key. */
export class LookupsUsedUp extends Refusal {
  readonly seconds: number;

  constructor(seconds: number) {
    super('limited', 'RATE_LIMITED', `too many lookups of Pix keys; try again in ${seconds} seconds`);
    this.name = 'LookupsUsedUp';
    this.seconds = seconds;
  }
}

/** Throws LookupsUsedUp if the merchant's lookups of the last day, oldest first, reach a limit. */
export function requireLookupsLeft(lookups: readonly CountedLookup[], now: Date): void {
  const seconds = Math.max(...limits.map((limit) => secondsUntilFree(lookups, now, limit)));
  if (seconds > 0) throw new LookupsUsedUp(seconds);
}

function secondsUntilFree(
  lookups: readonly CountedLookup[],
  now: Date,
  { seconds, most }: (typeof limits)[number],
): number {
  const leavesIn = ({ createdAt }: CountedLookup) => (createdAt.getTime() - now.getTime()) / 1_000 + seconds;
  const counted = lookups.filter((lookup) => leavesIn(lookup) > 0);
  let sum = counted.reduce((total, { cost }) => total + cost, 0);
  if (sum < most) return 0;
  const freeing = counted.find(({ cost }) => {
    sum -= cost;
    return sum < most;
  });
  return freeing ? Math.ceil(leavesIn(freeing)) : seconds;
}
