import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';

export interface Fault<Broken = World> {
  /** The name in tables, such as `broker killed`. */
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
    | 'release';
  /** The relative frequency of the fault. */
  readonly weight: number;
  /**
   * Breaks something for a while and repairs it. When it resolves, everything is repaired and ended processes
   * run again. Makes all choices with `dice`. Throws only if the repair fails.
   */
  strike(world: Broken, dice: Dice): Promise<Struck>;
}

export interface Struck {
  /** The fault could not begin. */
  isInVain?: boolean;
  /** A description of a process's irregular end. Another fault at the same time may be its cause. */
  disorder?: string | undefined;
  what: string;
  /** The time at which this fault was repaired, in milliseconds of the epoch. */
  mendedAt: number;
}
