import type { Dice } from '../dice.ts';
import type { Mistreatment } from '../network/post-office.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import type { Fault } from './fault.ts';

const mistreatments: Record<Mistreatment['kind'], (dice: Dice) => Mistreatment> = {
  duplicated: (dice) => ({ kind: 'duplicated', copies: dice.int(1, 4) }),
  reordered: () => ({ kind: 'reordered' }),
  lost: () => ({ kind: 'lost' }),
  late: (dice) => ({ kind: 'late', ms: dice.int(500, 15_000) }),
  forged: () => ({ kind: 'forged' }),
};

export const callbackFaults = Object.entries(mistreatments).map(
  ([kind, thrown]) =>
    ({
      ...{ name: `callbacks ${kind}`, group: 'callback', weight: 2 },
      strike({ postOffice }: Pick<World, 'postOffice'>, dice: Dice) {
        const [times, ms] = [dice.int(5, 30), dice.int(5_000, 15_000)];
        const mistreated = () => postOffice.letters.filter(({ how }) => how === kind).length;
        const before = mistreated();
        return breakFor({
          ...{ what: `up to ${times} in ${ms} ms`, ms },
          breaks() {
            for (let count = 0; count < times; count += 1) postOffice.mistreat(thrown(dice), 1);
          },
          isMet: () => mistreated() > before,
          mends: () => postOffice.heal(),
        });
      },
    }) as const satisfies Fault,
);
