import type { Dice } from '../dice.ts';
import { type Act, type ActContext, EndOfAct } from './acts/act.ts';

export interface Player {
  /** Plays the next act. Returns its name and whether it completed. */
  play(): Promise<{ name: string; isWhole: boolean }>;
}

interface Part {
  /** The participants, without the values that each act chooses. */
  context: Omit<ActContext, 'dice' | 'environment' | 'api'>;
  dice: Dice;
  hand: readonly Act[];
  acts: readonly Act[];
}

/** One act in this many uses production. */
const PRODUCTION = 4;

/**
 * Creates a player. Each act has its own dice, so that equal seeds play equal acts, regardless of the
 * answers.
 */
export function playerOf({ context, dice, hand, acts }: Part): Player {
  const any = acts.map((act) => ({ weight: act.weight, value: act }));
  let played = 0;

  return {
    async play() {
      const own = dice.named(`act ${played}`);
      const act = hand[played] ?? own.weighted(any);
      played += 1;
      const environment = own.oneIn(PRODUCTION) ? 'production' : 'sandbox';
      const api = context.merchant.api[environment];
      try {
        await act.play({ ...context, environment, api, dice: own });
      } catch (error) {
        if (!(error instanceof EndOfAct)) throw error;
        return { name: act.name, isWhole: false };
      }
      return { name: act.name, isWhole: true };
    },
  };
}

/** Deals all acts out once, so that the players together soon play each of them. */
export function deal(acts: readonly Act[], hands: number, dice: Dice): readonly (readonly Act[])[] {
  const shuffled = acts
    .map((act) => ({ act, order: dice.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ act }) => act);
  return Array.from({ length: hands }, (_, hand) => shuffled.filter((_act, index) => index % hands === hand));
}
