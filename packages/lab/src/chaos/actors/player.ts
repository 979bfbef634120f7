import type { Dice } from '../dice.ts';
import { type Act, type ActContext, EndOfAct } from './acts/act.ts';

/** Somebody at a merchant's, who does one thing after the other. */
export interface Player {
  /** Plays the next act, and says which it was, and whether it came to its end. */
  play(): Promise<{ name: string; isWhole: boolean }>;
}

interface Part {
  /** Who is there, but for what each act chooses. */
  context: Omit<ActContext, 'dice' | 'environment' | 'api'>;
  /** Of its own. */
  dice: Dice;
  /** What it plays first. */
  hand: readonly Act[];
  /** What it plays any of afterwards. */
  acts: readonly Act[];
}

/** One act in so many happens in production. */
const PRODUCTION = 4;

/**
 * Each act has dice of its own, so that what is played next never depends on what was answered before: with the same
 * seed the same things are tried, whatever becomes of them.
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

/** Deals all acts out once, so that together they play each soon. */
export function deal(acts: readonly Act[], hands: number, dice: Dice): readonly (readonly Act[])[] {
  const shuffled = acts
    .map((act) => ({ act, order: dice.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ act }) => act);
  return Array.from({ length: hands }, (_, hand) => shuffled.filter((_act, index) => index % hands === hand));
}
