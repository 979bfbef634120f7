import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { afterAttempt, type Delays, type Delivery, outcomeOf } from '../domain/delivery.ts';
import { metrics } from '../metrics.ts';
import { type Result, releaseDeliveries } from '../store/deliveries.ts';
import { createBacklog } from './backlog.ts';
import { createClaimer } from './claimer.ts';
import { createEndpointConcurrency, type Limits } from './endpoint-concurrency.ts';
import { createNewDeliveries, type StoreWithLeases } from './new-deliveries.ts';
import { createResultRecorder } from './result-recorder.ts';
import type { SendAttempt } from './send-attempt.ts';
import { createWakeTimer } from './wake-timer.ts';

export interface Pace extends Delays {
  limits: Limits;
  /**
   * The length of a lease. It must be at least twice the timeout of an attempt, so that a slow endpoint is
   * not called twice.
   */
  leaseMs: number;
  /** The longest time for which `stop` waits for running requests. */
  drainMs: number;
}

interface SenderDependencies {
  database: Database;
  log: Log;
  sendAttempt: SendAttempt;
  /** Cancels running requests. A cancelled request does not count as an attempt. */
  cancelRequests: () => Promise<void>;
  pace: Pace;
}

export interface Sender {
  wake(): void;
  storeWithLeases: StoreWithLeases;
  /** Returns the number of endpoints that get few requests at a time because their last attempt timed out. */
  countSlow(): number;
  stop(): Promise<void>;
}

const deliverySeconds = metrics.recorder('plataforma_delivery_duration_seconds');

/**
 * Starts the sender, which claims due deliveries, sends them outside of transactions and records the results,
 * all at the same time. New deliveries that get a slot need no claim.
 */
export function startSender({
  database,
  log,
  sendAttempt,
  cancelRequests,
  pace,
}: SenderDependencies): Sender {
  const { limits, leaseMs, drainMs } = pace;
  const sending = new Set<Promise<void>>();
  const abandoned: Delivery[] = [];
  let isStopping = false;

  const concurrency = createEndpointConcurrency(limits);
  const backlog = createBacklog();
  const wakeIn = (ms: number) => wakeTimer.wakeIn(ms);
  const claimer = createClaimer({ database, log, concurrency, backlog, leaseMs, start, wakeIn });
  const newDeliveries = createNewDeliveries({
    concurrency,
    backlog,
    leaseMs,
    send: run,
    claimDue: claimer.claimDue,
  });
  const wakeTimer = createWakeTimer(claimer.claimDue);
  const resultRecorder = createResultRecorder({ database, log, onRecorded });

  function start(delivery: Delivery): void {
    concurrency.enter(delivery);
    run(delivery);
  }

  function run(delivery: Delivery): void {
    const sent = send(delivery).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  async function send(delivery: Delivery): Promise<void> {
    const attempt = await sendAttempt(delivery);
    if (attempt) {
      claimer.slotFreed(concurrency.leave(delivery, { wasSlow: attempt.failure === 'timeout' }));
      // The metric excludes attempts with a fault that the merchant requested, because they take longer on
      // purpose.
      if (!delivery.isFaulted) deliverySeconds({ outcome: outcomeOf(attempt) }, attempt.durationMs / 1_000);
      resultRecorder.add({ delivery, attempt, ...afterAttempt(delivery, attempt, pace) });
    } else {
      concurrency.giveBack(delivery);
      if (isStopping) abandoned.push(delivery);
    }
    newDeliveries.slotFreed();
  }

  function onRecorded(results: readonly Result[]): void {
    for (const { retryInMs } of results) if (retryInMs !== null) wakeTimer.wakeIn(retryInMs);
    claimer.claimMore(results.map(({ delivery }) => delivery.configurationId));
  }

  // Until a complete scan has ended, new deliveries cannot get a slot directly, so the sender starts with a
  // scan.
  claimer.claimDue();
  return {
    wake: claimer.claimDue,
    storeWithLeases: newDeliveries.storeWithLeases,
    countSlow: concurrency.countSlow,
    async stop() {
      isStopping = true;
      wakeTimer.stop();
      const unsent = newDeliveries.stop();
      await claimer.stop();
      await Promise.race([Promise.all(sending), sleep(drainMs, undefined, { ref: false })]);
      await cancelRequests();
      await Promise.all(sending);
      await resultRecorder.stop();
      await releaseDeliveries(database, [...abandoned, ...(await unsent)]).catch((error) =>
        log.warn({ err: error }, 'unsent deliveries wait until their lease ends'),
      );
    },
  };
}
