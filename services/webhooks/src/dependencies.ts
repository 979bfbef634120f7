import { createSecretBox, recordSealingKey } from '@plataforma/data';
import { createOutbound } from '@plataforma/http';
import { addressList } from '@plataforma/kernel/addresses';
import type { Core } from '@plataforma/service';
import { applyingEvents } from './apply-events.ts';
import type { WebhooksConfig } from './config.ts';
import { DELIVERIES_SIGNAL } from './domain/delivery.ts';
import { createWaitingReaders } from './feed/waiting-readers.ts';
import { startReaderWakes } from './feed/wake-readers.ts';
import { createSendAttempt } from './sending/send-attempt.ts';
import { startSender } from './sending/sender.ts';
import { withFaults } from './sending/with-faults.ts';
import type { Tuning } from './tuning.ts';

export type WebhooksDependencies = Core<WebhooksConfig> & Awaited<ReturnType<typeof buildDependencies>>;

export async function buildDependencies(
  { config, log, database, retry, onStop }: Core<WebhooksConfig>,
  { attemptTimeoutMs, pollMs, forgetEveryMs, resealEveryMs, faultTimes, ...pace }: Tuning,
) {
  const secretBox = createSecretBox(config.WEBHOOK_SECRET_KEYS);
  const [sealing] = config.WEBHOOK_SECRET_KEYS;
  await retry(() => recordSealingKey(database, sealing.id));
  const callable = {
    allowInsecure: config.WEBHOOK_ALLOW_INSECURE,
    isOwnAddress: addressList(config.PRIVATE_ADDRESSES),
  };
  const outbound = createOutbound(callable);
  const sendAttempt = createSendAttempt({ outbound, secretBox, log, timeoutMs: attemptTimeoutMs });
  const sendWithFaults = withFaults(sendAttempt, { database, log, times: faultTimes });
  const sender = startSender({
    ...{ database, log, pace },
    sendAttempt: sendWithFaults,
    cancelRequests: outbound.close,
  });
  onStop('entryPoints', sender.stop);
  database.onSignal(DELIVERIES_SIGNAL, sender.wake);
  const waitingReaders = createWaitingReaders();
  onStop('entryPoints', async () => waitingReaders.stop());
  const readerWakes = startReaderWakes({ database, log, wake: waitingReaders.wake });
  onStop('dependencies', readerWakes.stop);
  return {
    wakeFeedReaders: readerWakes.send,
    ...{ waitingReaders, pollMs, forgetEveryMs, resealEveryMs, callable, secretBox, sender },
    keyIds: config.WEBHOOK_SECRET_KEYS.map(({ id }) => id),
    retention: {
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      // Keep deliveries at least as long as messages. A late message stores its deliveries in the partition
      // of the message's month, which must still exist.
      deliveryRetentionDays: Math.max(config.DELIVERY_RETENTION_DAYS, config.MESSAGES_RETENTION_DAYS),
    },
    apply: applyingEvents(sender.storeWithLeases, readerWakes.send),
  };
}
