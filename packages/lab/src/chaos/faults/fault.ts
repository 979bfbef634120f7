import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';

/** One way to break the platform, or another world. */
export interface Fault<Broken = World> {
  /** As the table names it, such as `broker killed`. */
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
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  /**
   * Breaks something, leaves it broken for a while, and mends it: when this resolves all is whole again, processes that
   * it ended run again included. What it chooses it chooses with `dice`. It throws only if the world can't be mended.
   */
  strike(world: Broken, dice: Dice): Promise<Struck>;
}

/** What came of it. */
export interface Struck {
  /** It could not be broken. */
  isInVain?: boolean;
  /** How a process has ended instead of in order: whatever else is broken at the time may be to blame. */
  disorder?: string | undefined;
  /** Whom it met, and how: for the log of the run. */
  what: string;
  /** When things were whole again, as far as the fault itself goes, in milliseconds of the epoch. */
  mendedAt: number;
}
