import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';

export interface Fault<Broken = World> {
  /** The name of the fault in the tables of results, such as `broker killed`. */
  readonly name: string;
  readonly group:
    | 'process'
    | 'fail point'
    | 'broker'
    | 'database'
    | 'network'
    | 'provider'
    | 'callback'
    | 'message'
    | 'clock'
    | 'insider'
    | 'release';
  /** How often the fault is chosen, relative to other faults. */
  readonly weight: number;
  /**
   * Causes damage for a while and repairs it. When the promise resolves, everything is repaired and all ended
   * processes run again. Every choice must use `dice`. Throws only if the repair fails.
   */
  strike(world: Broken, dice: Dice): Promise<Struck>;
}

export interface Struck {
  /** True if the fault could not begin or affected no request. */
  isInVain?: boolean;
  /** How a process ended in an unexpected way. Another fault at the same time may be the cause. */
  disorder?: string | undefined;
  what: string;
  /** The time at which this fault was repaired, in milliseconds since 1970. */
  mendedAt: number;
}
