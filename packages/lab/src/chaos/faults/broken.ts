import { setTimeout as sleep } from 'node:timers/promises';
import type { Struck } from './fault.ts';

interface Damage {
  /** Whom it meets, and how. */
  what: string;
  ms: number;
  breaks(): unknown;
  mends(): unknown;
  /** Asked before it is mended: whether anybody has met it. Without it somebody always does. */
  isMet?(): boolean | Promise<boolean>;
}

/**
 * Breaks something for a while. What can't be broken, as another fault has its hands on it, and what nobody has met, is only
 * told of.
 */
export async function breakFor({ what, ms, breaks, mends, isMet = () => true }: Damage): Promise<Struck> {
  let [outcome, isInVain] = [what, false];
  try {
    await breaks();
    await sleep(ms);
    if (!(await isMet())) throw new Error('nobody has met it');
  } catch (error) {
    isInVain = true;
    outcome = `${what}: in vain (${error instanceof Error ? error.message : error})`;
  } finally {
    await mends();
  }
  return { what: outcome, isInVain, mendedAt: Date.now() };
}
