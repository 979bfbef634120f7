import { setTimeout as sleep } from 'node:timers/promises';
import type { Struck } from './fault.ts';

interface Damage {
  what: string;
  ms: number;
  breaks(): unknown;
  mends(): unknown;
  /**
   * Returns whether the damage affected any request. The answer is read before the repair. Without this
   * function, the damage counts as if it had affected a request.
   */
  isMet?(): boolean | Promise<boolean>;
}

/**
 * Causes damage for a while and repairs it. The fault is reported as in vain if it could not begin because of
 * another fault, or if it affected no request.
 */
export async function breakFor({ what, ms, breaks, mends, isMet = () => true }: Damage): Promise<Struck> {
  let [outcome, isInVain] = [what, false];
  try {
    await breaks();
    await sleep(ms);
    if (!(await isMet())) throw new Error('no request has met it');
  } catch (error) {
    isInVain = true;
    outcome = `${what}: in vain (${error instanceof Error ? error.message : error})`;
  } finally {
    await mends();
  }
  return { what: outcome, isInVain, mendedAt: Date.now() };
}
