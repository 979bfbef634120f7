import type { Dice } from '../dice.ts';
import type { Behaviour, Link } from '../network/link.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import type { Fault, Struck } from './fault.ts';

type Links = Pick<World, 'links'>;

const group = 'network';

/** Returns the calling process in a link's name: `charges-1` for `charges-1 → database`. */
const callerOf = ({ name }: Link) => name.split(' → ')[0] ?? '';

export function behave(links: readonly Link[], how: Behaviour): void {
  for (const link of links) link.behave(how);
}

/** Changes the behaviour of one random link, or of all links of the same caller, for a while. */
function spoil({ links }: Links, dice: Dice, how: Behaviour): Promise<Struck> {
  const link = dice.pick(links);
  const isAll = dice.oneIn(3);
  const spoilt = isAll ? links.filter((each) => callerOf(each) === callerOf(link)) : [link];
  const ms = dice.int(1_000, 12_000);
  return breakFor({
    ...{ what: `${isAll ? `all of ${callerOf(link)}` : link.name} for ${ms} ms`, ms },
    breaks: () => behave(spoilt, how),
    mends: () => behave(spoilt, { kind: 'passes' }),
  });
}

export const networkFaults = [
  {
    ...{ name: 'link slow', group, weight: 2 },
    strike: (world: Links, dice: Dice) => spoil(world, dice, { kind: 'delays', ms: dice.int(20, 2_000) }),
  },
  {
    ...{ name: 'link cut', group, weight: 3 },
    strike: (world: Links, dice: Dice) => spoil(world, dice, { kind: 'cuts' }),
  },
  {
    ...{ name: 'link silent', group, weight: 3 },
    strike: (world: Links, dice: Dice) => spoil(world, dice, { kind: 'is silent' }),
  },
  {
    ...{ name: 'answers lost', group, weight: 4 },
    strike: (world: Links, dice: Dice) => spoil(world, dice, { kind: 'loses answers' }),
  },
] as const satisfies Fault[];
