import { createSecretBox, noteSealingKey } from '@plataforma/data';
import { createOutbound } from '@plataforma/http';
import { addressList } from '@plataforma/kernel/addresses';
import type { Core } from '@plataforma/service';
import type { WebhooksConfig } from './config.ts';
import { DELIVERIES_SIGNAL } from './domain/delivery.ts';
import { createPostDelivery } from './endpoints/post-delivery.ts';
import { applyingEvents } from './events.ts';
import { startNotices } from './feed/notices.ts';
import { createWaitingReaders } from './feed/waiting-readers.ts';
import { startSender } from './sending/sender.ts';
import { withFaults } from './sending/with-faults.ts';
import type { Tuning } from './tuning.ts';

export type WebhooksParts = Core<WebhooksConfig> & Awaited<ReturnType<typeof buildParts>>;

/** What the entrances of webhooks work with; the sender works by itself and drains beside them. */
export async function buildParts(
  { config, log, database, retry, onStop }: Core<WebhooksConfig>,
  { attemptTimeoutMs, pollMs, forgetEveryMs, resealEveryMs, faultTimes, ...pace }: Tuning,
) {
  const secretBox = createSecretBox(config.WEBHOOK_SECRET_KEYS);
  const [sealing] = config.WEBHOOK_SECRET_KEYS;
  await retry(() => noteSealingKey(database, sealing.id));
  const callable = {
    allowInsecure: config.WEBHOOK_ALLOW_INSECURE,
    isOurs: addressList(config.PRIVATE_ADDRESSES),
  };
  const outbound = createOutbound(callable);
  const plain = createPostDelivery({ outbound, secretBox, log, timeoutMs: attemptTimeoutMs });
  const post = withFaults(plain, { database, log, times: faultTimes });
  const sender = startSender({ database, log, post, cancelRequests: outbound.close, pace });
  onStop('entrances', sender.stop);
  database.onSignal(DELIVERIES_SIGNAL, sender.wake);
  const waitingReaders = createWaitingReaders();
  onStop('entrances', async () => waitingReaders.stop());
  const notices = startNotices({ database, log, onNotice: waitingReaders.wake });
  onStop('parts', notices.stop);
  return {
    notifyReaders: notices.send,
    ...{ waitingReaders, pollMs, forgetEveryMs, resealEveryMs, callable, secretBox, sender },
    keyIds: config.WEBHOOK_SECRET_KEYS.map(({ id }) => id),
    retention: {
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      // What the inbox takes must find its place.
      deliveryRetentionDays: Math.max(config.DELIVERY_RETENTION_DAYS, config.MESSAGES_RETENTION_DAYS),
    },
    apply: applyingEvents(sender.sendNew, notices.send),
  };
}
