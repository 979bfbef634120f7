import { startLooking } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { every } from '@plataforma/observe';
import { type AnnounceFailing, announceFailing } from './operations/announce-failing.ts';
import { forgetFaults } from './operations/forget-faults.ts';
import { forgetOld } from './operations/forget-old.ts';
import { type ResealSecrets, resealSecrets } from './operations/reseal-secrets.ts';
import type { Sender } from './sending/sender.ts';
import type { Retention } from './store/retention.ts';

interface Schedule extends ResealSecrets, AnnounceFailing {
  clock: Clock;
  sender: Sender;
  /** Between two looks for what is due, while this process writes. */
  pollMs: number;
  retention: Retention;
  /** The same for what is old, and no month of events. */
  forgetEveryMs: number;
  /** The same for secrets that are not sealed with the first key. */
  resealEveryMs: number;
}

/**
 * Starts the periodic work: it announces endpoints that began to fail, wakes the sender for deliveries that no signal
 * named, such as those of a sender that died, deletes rows past their retention, and seals secrets with the first key.
 */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, sender, pollMs, retention, forgetEveryMs, resealEveryMs } = parts;
  const common = { database, log, everyMs: pollMs };
  const jobs = [
    startLooking({ ...common, name: 'due deliveries', look: async () => sender.wake() }),
    startLooking({ ...common, name: 'failing endpoints', look: () => announceFailing(parts) }),
    every({
      everyMs: forgetEveryMs,
      log,
      name: 'old secrets and faults',
      work: async () => {
        await forgetFaults(database, retention, clock());
        await forgetOld(database, clock());
      },
    }),
    every({ everyMs: resealEveryMs, log, name: 'sealed secrets', work: () => resealAndTell(parts) }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** When the line says that none is left, operators may take the older keys away. */
async function resealAndTell(parts: Schedule): Promise<void> {
  const { resealed, left } = await resealSecrets(parts);
  if (resealed + left > 0) parts.log.info({ resealed, left }, 'secrets were sealed anew with the first key');
}
