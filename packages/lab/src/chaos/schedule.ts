import type { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';
import type { Probe } from './probe.ts';

/** A fault, or two at once, and how the platform came out of it; none, when nothing could be broken. */
export interface Strike {
  faults: readonly Pick<Fault, 'name' | 'group'>[];
  /** Whom it met, and how. */
  what: string;
  /** From when things were whole again until everything worked, seen by a merchant; null: not within the timeout. */
  recoveryMs: number | null;
  /** Of a process that was to end in order, and had no other fault to hinder it. */
  disorder?: string | undefined;
}

interface ScheduleOptions<Broken> {
  world: Broken;
  faults: readonly Fault<Broken>[];
  /** What strikes before the dice decide. */
  first: readonly Fault<Broken>[];
  dice: Dice;
  probe: Probe;
  /** No fault begins then. */
  isOver(): boolean;
  say(line: string): void;
}

/** One of so many faults has another one beside it. */
const PAIRS = 4;

/** Each fault as often as it weighs, in an order that the dice choose, when the platform has recovered from the one before. */
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
    // Two of one group might mend what the other has broken.
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
