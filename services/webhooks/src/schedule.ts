import { startPolling } from '@plataforma/data';
import { every } from '@plataforma/observe';
import type { WebhooksDependencies } from './dependencies.ts';
import { announceFailing } from './operations/announce-failing.ts';
import { forgetOld } from './operations/forget-old.ts';
import { resealSecrets } from './operations/reseal-secrets.ts';

/**
 * Starts the periodic jobs. They wake the sender for due deliveries, announce failing endpoints, delete old
 * secrets and faults, and encrypt secrets with the first key.
 */
export function startSchedule(dependencies: WebhooksDependencies): { stop(): Promise<void> } {
  const { database, log, clock, sender, pollMs, retention, forgetEveryMs, resealEveryMs } = dependencies;
  const common = { database, log, everyMs: pollMs };
  const jobs = [
    startPolling({ ...common, name: 'due deliveries', poll: async () => sender.wake() }),
    startPolling({ ...common, name: 'failing endpoints', poll: () => announceFailing(dependencies) }),
    every({
      everyMs: forgetEveryMs,
      log,
      name: 'old secrets and faults',
      work: () => forgetOld(database, retention, clock()),
    }),
    every({ everyMs: resealEveryMs, log, name: 'sealed secrets', work: () => resealAndLog(dependencies) }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/**
 * Encrypts secrets with the first key and logs the result. Once the log reports that no secret is left,
 * operators may remove the older keys.
 */
async function resealAndLog(dependencies: WebhooksDependencies): Promise<void> {
  const { resealed, left } = await resealSecrets(dependencies);
  if (resealed + left > 0)
    dependencies.log.info({ resealed, left }, 'secrets re-encrypted with the first key');
}
