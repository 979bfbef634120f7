import { setTimeout as sleep } from 'node:timers/promises';
import type { Struck } from './fault.ts';

interface Damage {
  what: string;
  ms: number;
  breaks(): unknown;
  mends(): unknown;
  /** Returns, before the repair, whether any request met the damage. Always true when absent. */
  isMet?(): boolean | Promise<boolean>;
}

/**
 * Breaks something for a while. The result reports a fault that could not begin, because another fault is
 * active, or that no request met.
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
