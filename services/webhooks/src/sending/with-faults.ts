import type { FaultKind } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { FaultTimes } from '../domain/webhook-fault.ts';
import { meetFault } from '../operations/meet-fault.ts';
import type { SendAttempt } from './send-attempt.ts';

interface Dependencies {
  database: Database;
  log: Log;
  times: FaultTimes;
}

/**
 * Returns a function that applies the faults that merchants requested in the sandbox. All other attempts are
 * sent unchanged.
 */
export function withFaults(send: SendAttempt, { database, log, times }: Dependencies): SendAttempt {
  async function makeFaulted(delivery: Delivery): Promise<Attempt | null> {
    try {
      const fault = await meetFault(database, delivery, times);
      return fault === 'released' ? null : await attemptWith(send, delivery, fault);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'webhook fault of an attempt not read yet');
      return null;
    }
  }

  return (delivery) => (delivery.isFaulted ? makeFaulted(delivery) : send(delivery));
}

async function attemptWith(
  send: SendAttempt,
  delivery: Delivery,
  fault: FaultKind | null,
): Promise<Attempt | null> {
  if (fault === 'drop') return lostNow();
  if (fault === 'bad_signature') return send(delivery, { isForged: true });
  // Send both requests at the same time, so that the lease does not end before the second request.
  if (fault === 'duplicate') return (await Promise.all([send(delivery), send(delivery)]))[1];
  return send(delivery);
}

function lostNow(): Attempt {
  const answer = { statusCode: null, failure: 'connection_failed', responseBody: null } as const;
  return { at: new Date(), durationMs: 0, ...answer };
}
