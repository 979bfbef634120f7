import type { FaultKind } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { FaultTimes } from '../domain/webhook-fault.ts';
import type { PostDelivery } from '../endpoints/post-delivery.ts';
import { meetFault } from '../operations/meet-fault.ts';

interface Parts {
  database: Database;
  log: Log;
  times: FaultTimes;
}

/** Makes attempts go wrong for merchants of the sandbox who asked for it; others are sent without a look. */
export function withFaults(post: PostDelivery, { database, log, times }: Parts): PostDelivery {
  async function makeFaulted(delivery: Delivery): Promise<Attempt | null> {
    try {
      const fault = await meetFault(database, delivery, times);
      return fault === 'held' ? null : await attemptWith(post, delivery, fault);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'whether an attempt meets a fault is not known yet');
      return null;
    }
  }

  return (delivery) => (delivery.isFaulted ? makeFaulted(delivery) : post(delivery));
}

async function attemptWith(
  post: PostDelivery,
  delivery: Delivery,
  fault: FaultKind | null,
): Promise<Attempt | null> {
  if (fault === 'drop') return lostNow();
  if (fault === 'bad_signature') return post(delivery, { isForged: true });
  // At once, so that both together take no longer than one, and the lease is enough for them.
  if (fault === 'duplicate') return (await Promise.all([post(delivery), post(delivery)]))[1];
  return post(delivery);
}

function lostNow(): Attempt {
  const answer = { statusCode: null, failure: 'connection_failed', responseBody: null } as const;
  return { at: new Date(), durationMs: 0, ...answer };
}
