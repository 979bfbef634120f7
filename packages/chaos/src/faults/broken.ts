import { setTimeout as sleep } from 'node:timers/promises';
import type { Struck } from './fault.ts';

interface Damage {
  /** Whom it meets, and how. */
  what: string;
  ms: number;
  breaks(): unknown;
  mends(): unknown;
}

/** Breaks something for a while. What can't be broken, as another fault has its hands on it, is only told of. */
export async function breakFor({ what, ms, breaks, mends }: Damage): Promise<Struck> {
  let [outcome, isInVain] = [what, false];
  try {
    await breaks();
    await sleep(ms);
  } catch (error) {
    isInVain = true;
    outcome = `${what}: in vain (${error instanceof Error ? error.message : error})`;
  } finally {
    await mends();
  }
  return { what: outcome, isInVain, mendedAt: Date.now() };
}
