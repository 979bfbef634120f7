import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { afterAttempt, type Delays, type Delivery, outcomeOf } from '../domain/delivery.ts';
import type { PostDelivery } from '../endpoints/post-delivery.ts';
import { metrics } from '../metrics.ts';
import { type Result, releaseDeliveries } from '../store/deliveries.ts';
import { createAlarm } from './alarm.ts';
import { createBacklog } from './backlog.ts';
import { createClaimer } from './claimer.ts';
import { createEndpointConcurrency, type Limits } from './endpoint-concurrency.ts';
import { createNewDeliveries, type SendNew } from './new-deliveries.ts';
import { createSettler } from './settler.ts';

export interface Pace extends Delays {
  limits: Limits;
  /** Twice what an attempt may take, or a slow endpoint would be called twice. */
  leaseMs: number;
  /** How long a stop waits for requests that run. */
  drainMs: number;
}

interface SenderParts {
  database: Database;
  log: Log;
  post: PostDelivery;
  /** Ends running requests; each then counts as not attempted. */
  cancelRequests: () => Promise<void>;
  pace: Pace;
}

export interface Sender {
  /** Looks for what is due, now. */
  wake(): void;
  sendNew: SendNew;
  /** How many endpoints get few requests at a time, because they did not answer in time. */
  heldBack(): number;
  stop(): Promise<void>;
}

const deliverySeconds = metrics.recorder('plataforma_delivery_duration_seconds');

/**
 * Claims what is due, sends it outside of any transaction, records the results: three steps that overlap. What is new is
 * claimed by being stored, where there are slots for it.
 */
export function startSender({ database, log, post, cancelRequests, pace }: SenderParts): Sender {
  const { limits, leaseMs, drainMs } = pace;
  const sending = new Set<Promise<void>>();
  const abandoned: Delivery[] = [];
  let isStopping = false;

  const concurrency = createEndpointConcurrency(limits);
  const backlog = createBacklog();
  const wakeIn = (ms: number) => alarm.ringIn(ms);
  const claimer = createClaimer({ database, log, concurrency, backlog, leaseMs, start, wakeIn });
  const newDeliveries = createNewDeliveries({
    concurrency,
    backlog,
    leaseMs,
    send: run,
    claim: claimer.claim,
  });
  const alarm = createAlarm(claimer.claim);
  const settler = createSettler({ database, log, onSettled });

  function start(delivery: Delivery): void {
    concurrency.enter(delivery);
    run(delivery);
  }

  function run(delivery: Delivery): void {
    const sent = send(delivery).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  async function send(delivery: Delivery): Promise<void> {
    const attempt = await post(delivery);
    if (attempt) {
      claimer.slotFreed(concurrency.leave(delivery, { wasSlow: attempt.failure === 'timeout' }));
      // What a merchant makes go wrong says nothing of how sending fares.
      if (!delivery.isFaulted) deliverySeconds({ outcome: outcomeOf(attempt) }, attempt.durationMs / 1_000);
      settler.add({ delivery, attempt, ...afterAttempt(delivery, attempt, pace) });
    } else {
      concurrency.giveBack(delivery);
      if (isStopping) abandoned.push(delivery);
    }
    newDeliveries.slotFreed();
  }

  function onSettled(results: readonly Result[]): void {
    for (const { retryInMs } of results) if (retryInMs !== null) alarm.ringIn(retryInMs);
    claimer.claimMore(results.map(({ delivery }) => delivery.configurationId));
  }

  // Until it knows of nothing that waits, nothing new is sent before it.
  claimer.claim();
  return {
    wake: claimer.claim,
    sendNew: newDeliveries.sendNew,
    heldBack: concurrency.heldBack,
    async stop() {
      isStopping = true;
      alarm.stop();
      const unsent = newDeliveries.stop();
      await claimer.stop();
      await Promise.race([Promise.all(sending), sleep(drainMs, undefined, { ref: false })]);
      await cancelRequests();
      await Promise.all(sending);
      await settler.stop();
      await releaseDeliveries(database, [...abandoned, ...(await unsent)]).catch((error) =>
        log.warn({ err: error }, 'unsent deliveries wait for the end of their lease'),
      );
    },
  };
}
