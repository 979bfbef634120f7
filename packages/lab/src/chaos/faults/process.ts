import type { Dice } from '../dice.ts';
import type { Replica } from '../world/world.ts';
import { breakFor } from './broken.ts';
import type { Fault, Struck } from './fault.ts';
import {
  anyService,
  endOf,
  FROZEN_MS,
  nameOf,
  type Processes,
  replicasOf,
  revive,
  signal,
  withExclusive,
} from './replicas.ts';

const group = 'process';

function kill(replicas: readonly Replica[], dice: Dice): Promise<Struck> {
  const ms = dice.int(0, 5_000);
  return withExclusive(replicas, () =>
    breakFor({
      ...{ what: `${replicas.map(nameOf).join(', ')} gone for ${ms} ms`, ms },
      breaks: () => Promise.all(replicas.map(({ process }) => process.kill())),
      mends: () => Promise.all(replicas.map(revive)),
    }),
  );
}

/** Stops the process with SIGSTOP for a while. Its connections stay open. */
function freeze(replica: Replica, ms: number): Promise<Struck> {
  let isStopped = false;
  return withExclusive([replica], () =>
    breakFor({
      ...{ what: `${nameOf(replica)} stopped for ${ms} ms`, ms },
      breaks() {
        isStopped = signal(replica, 'SIGSTOP');
      },
      isMet: () => isStopped,
      mends: () => signal(replica, 'SIGCONT'),
    }),
  );
}

/** Stops the processes in parallel, and starts them again when all of them have ended. */
export function restart(replicas: readonly Replica[]): Promise<Struck> {
  const what = replicas.map(nameOf).join(', ');
  return withExclusive(replicas, async () => {
    const disorders: string[] = [];
    const stop = async (replica: Replica) => {
      // The error of the stop is ignored: the exit code is enough, because the logs of a failed run are kept.
      await replica.process.stop().catch(() => undefined);
      const { exitCode } = replica.process;
      if (exitCode !== 0) disorders.push(`${nameOf(replica)} was told to stop, and ended ${endOf(exitCode)}`);
    };
    const struck = await breakFor({
      ...{ what, ms: 0 },
      breaks: () => Promise.all(replicas.map(stop)),
      mends: () => Promise.all(replicas.map(revive)),
    });
    return { ...struck, ...(disorders.length > 0 && { disorder: disorders.join(', ') }) };
  });
}

export const processFaults = [
  {
    ...{ name: 'process killed', group, weight: 6 },
    strike: ({ replicas }: Processes, dice: Dice) => kill([dice.pick(replicas)], dice),
  },
  {
    ...{ name: 'all processes of a service killed', group, weight: 3 },
    strike: (world: Processes, dice: Dice) => kill(replicasOf(world, anyService(dice)), dice),
  },
  {
    ...{ name: 'process stopped', group, weight: 4 },
    strike: ({ replicas }: Processes, dice: Dice) => freeze(dice.pick(replicas), dice.int(1_000, 8_000)),
  },
  {
    ...{ name: 'process stopped for longer than its leases', group, weight: 2 },
    strike: ({ replicas }: Processes, dice: Dice) => freeze(dice.pick(replicas), FROZEN_MS),
  },
  {
    ...{ name: 'process restarted in order', group, weight: 2 },
    strike: ({ replicas }: Processes, dice: Dice) => restart([dice.pick(replicas)]),
  },
] as const satisfies Fault[];
