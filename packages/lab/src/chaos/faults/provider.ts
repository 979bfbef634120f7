import { eventually, type PlatformFacts } from '@plataforma/testing';
import { z } from 'zod';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import type { Fault } from './fault.ts';

const operations = [
  'pix.create',
  'pix.read',
  'pix.refund',
  'card.charge',
  'card.refund',
  'payout.create',
  'payout.read',
];

/** Maps the names of faults in the provider's control API to the names of these faults in a run. */
const faults = {
  timeout: 'provider silent',
  reset: 'provider resets connections',
  error500: 'provider answers 500',
  garbage: 'provider answers garbage',
  done_then_500: 'provider does it and answers 500',
};

/** A long timeout, because another fault may have stopped the provider. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 250 };

type Provider = Pick<World, 'bank'> & {
  platform: { facts: Pick<PlatformFacts, 'sandboxControlUrl'> };
};

const ordered = z.object({ faults: z.array(z.object({ times: z.int(), remaining: z.int() })) });

/** Returns whether an ordered fault has affected at least one call. */
async function isMet({ platform }: Provider): Promise<boolean> {
  const response = await fetch(`${platform.facts.sandboxControlUrl}/control/faults`);
  return ordered.parse(await response.json()).faults.some(({ times, remaining }) => remaining < times);
}

/**
 * Faults of the provider, each for a few calls of every operation. The repair cancels the faults that no call
 * has used up.
 */
export const providerFaults = Object.entries(faults).map(
  ([fault, name]) =>
    ({
      ...{ name, group: 'provider', weight: 2 },
      strike(world: Provider, dice: Dice) {
        const { bank } = world;
        const orders = operations.map((operation) => ({ operation, times: dice.int(1, 5) }));
        const ms = dice.int(4_000, 12_000);
        return breakFor({
          ...{ what: orders.map(({ operation, times }) => `${operation} ×${times}`).join(' '), ms },
          async breaks() {
            for (const { operation, times } of orders) await bank.breaks(operation, fault, times);
          },
          isMet: () => eventually(() => isMet(world), LONG_WAIT),
          mends: () => eventually(() => bank.heals(), LONG_WAIT),
        });
      },
    }) as const satisfies Fault,
);
