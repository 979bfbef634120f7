import { EndOfAct } from '../actors/acts/act.ts';
import type { Dice } from '../dice.ts';
import { adminAttempts } from '../insiders/admin.ts';
import type { Attempt, AttemptContext } from '../insiders/attempt.ts';
import { financeAttempts } from '../insiders/finance.ts';
import { gatewayAttempts } from '../insiders/gateway-role.ts';
import { ledgerAttempts } from '../insiders/ledger-role.ts';
import type { Fault, Struck } from './fault.ts';

/** Lets an insider play its attempts, one after the other. The run records the harm that they do. */
async function play(
  attempts: readonly Attempt[],
  world: AttemptContext['world'],
  dice: Dice,
): Promise<Struck> {
  const { cast, breaches } = world.insiders;
  if (!cast) return { what: 'no insider', isInVain: true, mendedAt: Date.now() };
  const ended: string[] = [];
  for (const attempt of attempts) {
    try {
      const harm = await attempt.play({ world, cast, dice: dice.named(attempt.name) });
      for (const one of harm) breaches.add(`${attempt.name}: ${one}`);
    } catch (error) {
      // The platform did not serve what the attempt needs, for example because of another fault.
      if (!(error instanceof EndOfAct)) throw error;
      ended.push(attempt.name);
    }
  }
  const what = `${attempts.length} attempts, ${breaches.size} breaches`;
  const isInVain = ended.length === attempts.length;
  return {
    what: [what, ...ended.map((name) => `${name} ended early`)].join(', '),
    isInVain,
    mendedAt: Date.now(),
  };
}

const insider = (name: string, attempts: readonly Attempt[]) => ({
  ...({ name, group: 'insider', weight: 2 } as const),
  strike: (world: AttemptContext['world'], dice: Dice) => play(attempts, world, dice),
});

export const insiderFaults = [
  insider('login of the gateway at its database', gatewayAttempts),
  insider('login of the ledger at its database', ledgerAttempts),
  insider('one FINANCE alone', financeAttempts),
  insider('one ADMIN alone', adminAttempts),
] as const satisfies Fault<AttemptContext['world']>[];
