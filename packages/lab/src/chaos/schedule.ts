import type { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';
import type { Probe } from './probe.ts';

/**
 * One or two simultaneous faults, and the platform's recovery afterwards. `faults` is empty if none of them
 * had an effect.
 */
export interface Strike {
  faults: readonly Pick<Fault, 'name' | 'group'>[];
  what: string;
  /**
   * The time from the repair until a merchant can use the platform again. Null means that this took longer
   * than the timeout.
   */
  recoveryMs: number | null;
  /** How a process ended unexpectedly. Absent after two faults, because either may be the cause. */
  disorder?: string | undefined;
}

interface ScheduleOptions<Broken> {
  world: Broken;
  faults: readonly Fault<Broken>[];
  /** The faults with which the run begins, in this order. */
  first: readonly Fault<Broken>[];
  dice: Dice;
  probe: Probe;
  /** Returns true when no further fault may begin. */
  isOver(): boolean;
  say(line: string): void;
}

/** One strike in this many causes two faults at the same time. */
const PAIRS = 4;

/**
 * Causes faults in random order. A fault with the weight 3 occurs three times as often as a fault with the
 * weight 1. The next fault begins after the platform has recovered from the last.
 */
export async function strikeInTurn<Broken>(options: ScheduleOptions<Broken>): Promise<Strike[]> {
  const { world, faults, first: openings, dice, probe, isOver, say } = options;
  const strikes: Strike[] = [];
  let deck = openings.toReversed();
  const next = () => {
    if (deck.length === 0) deck = shuffled(faults, dice);
    return deck.pop();
  };

  while (!isOver()) {
    const first = next();
    if (!first) break;
    const chosen = [first];
    // The two faults must be of different groups, because faults of one group might repair each other's
    // damage.
    if (dice.oneIn(PAIRS) && deck.at(-1)?.group !== first.group) chosen.push(...deck.splice(-1));
    say(chosen.map(({ group, name }) => `${group}: ${name}`).join(' + '));
    const struck = await Promise.all(
      chosen.map((fault) => fault.strike(world, dice.named(`${strikes.length} ${fault.name}`))),
    );
    const what = struck.map((each) => each.what).join('; ');
    const sinceMendedMs = Date.now() - Math.max(...struck.map(({ mendedAt }) => mendedAt));
    const probedMs = await probe.run();
    const recoveryMs = probedMs === null ? null : probedMs + sinceMendedMs;
    const met = chosen.filter((_fault, index) => !struck[index]?.isInVain);
    const disorder = struck.length === 1 ? struck[0]?.disorder : undefined;
    strikes.push({ faults: met.map(({ name, group }) => ({ name, group })), what, recoveryMs, disorder });
    say(
      `  ${what}; ${recoveryMs === null ? 'NOT RECOVERED' : `recovered in ${(recoveryMs / 1_000).toFixed(1)} s`}`,
    );
  }
  return strikes;
}

function shuffled<Broken>(faults: readonly Fault<Broken>[], dice: Dice): Fault<Broken>[] {
  const weighed = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const keyed = weighed.map((fault) => ({ fault, key: dice.next() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ fault }) => fault);
}
