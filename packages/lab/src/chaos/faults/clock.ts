import { rm, writeFile } from 'node:fs/promises';
import type { Dice } from '../dice.ts';
import { breakFor } from './broken.ts';
import type { Fault, Struck } from './fault.ts';
import { nameOf, ours, type Processes } from './replicas.ts';

const group = 'clock';

function shift(world: Processes, dice: Dice, mostMs: number): Promise<Struck> {
  const replica = dice.pick(ours(world));
  const [offsetMs, ms] = [dice.int(-mostMs, mostMs), dice.int(5_000, 15_000)];
  return breakFor({
    ...{ what: `${nameOf(replica)} by ${offsetMs} ms for ${ms} ms`, ms },
    breaks: () => writeFile(replica.clockFile, String(offsetMs)),
    mends: () => rm(replica.clockFile, { force: true }),
  });
}

export const clockFaults = [
  {
    ...{ name: 'clock a little wrong', group, weight: 2 },
    strike: (world: Processes, dice: Dice) => shift(world, dice, 30_000),
  },
  {
    ...{ name: 'clock very wrong', group, weight: 2 },
    strike: (world: Processes, dice: Dice) => shift(world, dice, 3_600_000),
  },
] as const satisfies Fault[];
