import type { Dice } from '../dice.ts';
import { type Act, type ActContext, EndOfAct } from './acts/act.ts';

export interface Player {
  /** Plays the next act. Returns the act's name and whether the act was completed. */
  play(): Promise<{ name: string; isWhole: boolean }>;
}

interface Part {
  /** The values that are the same in all acts of the client. The omitted values differ from act to act. */
  context: Omit<ActContext, 'dice' | 'environment' | 'api'>;
  dice: Dice;
  hand: readonly Act[];
  acts: readonly Act[];
}

/** One act in four uses production, and the others use the sandbox. */
const PRODUCTION = 4;

/**
 * Returns a client that plays acts. Each act has random values of its own, so that the same seed gives the
 * same acts, regardless of the platform's answers.
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

/**
 * Distributes all acts among the clients. Each act belongs to one client, so that the clients together soon
 * play all acts.
 */
export function deal(acts: readonly Act[], hands: number, dice: Dice): readonly (readonly Act[])[] {
  const shuffled = acts
    .map((act) => ({ act, order: dice.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ act }) => act);
  return Array.from({ length: hands }, (_, hand) => shuffled.filter((_act, index) => index % hands === hand));
}
