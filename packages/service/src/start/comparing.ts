import type { Subscriber } from '@plataforma/events';
import { createSigner } from '@plataforma/http';
import type { Log, ReadGauges } from '@plataforma/observe';
import { readComparisons } from '@plataforma/tables';
import { startComparingEvents } from '../comparison/compare-events.ts';
import { subscribersOf } from '../comparison/contract.ts';
import { hasBroker } from '../settings.ts';
import type { Messages } from './messages.ts';
import type { BackgroundJob, Core, ServiceConfig, SubscriberUrls } from './service.ts';

/** The job that compares a service's published events with those that its subscribers have received. */
interface Comparing {
  jobs: readonly BackgroundJob<Core<ServiceConfig>>[];
  gauges: readonly ReadGauges[];
}

/** Returns no job for a service that publishes nothing or does not compare. */
export function comparing(
  messages: Messages | undefined,
  { config, database, clock, log }: Core<ServiceConfig>,
  urlOf: SubscriberUrls,
): Comparing {
  if (!messages?.signer || !hasBroker(config) || !config.SERVICE_KEY) return { jobs: [], gauges: [] };
  const urls = urlsOf(messages, log, urlOf);
  const everyMs = config.EVENT_COMPARISON_SECONDS * 1_000;
  if (urls.size === 0 || everyMs === 0) return { jobs: [], gauges: [] };
  const { name: producer } = messages;
  const signer = createSigner(producer, config.SERVICE_KEY);
  return {
    jobs: [
      (core) => {
        const keepDays = core.config.MESSAGES_RETENTION_DAYS;
        return startComparingEvents({ database, clock, log, producer, signer, urls, everyMs, keepDays });
      },
    ],
    gauges: [() => readComparisons(database, clock())],
  };
}

function urlsOf({ name }: Messages, log: Log, urlOf: SubscriberUrls): ReadonlyMap<Subscriber, string> {
  const urls = new Map<Subscriber, string>();
  for (const subscriber of subscribersOf(name)) {
    const url = urlOf[subscriber];
    if (url === undefined) log.warn({ subscriber }, 'events not compared: the subscriber’s URL is not set');
    else urls.set(subscriber, url);
  }
  return urls;
}
