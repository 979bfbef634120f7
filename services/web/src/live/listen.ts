import { type DomainEvent, isPageUpdate } from '@plataforma/events';
import { openTap, type Tap } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import { brokerOf, signatureRules } from '@plataforma/service';
import type { WebConfig } from '../config.ts';
import { aboutOf, changedBy, followedTypes, type PageUpdateEvent } from './changes.ts';
import type { Hub } from './hub.ts';

/**
 * Subscribes this replica to the live updates that pages follow, and sends each to the streams that it
 * concerns.
 */
export function listenFor(hub: Hub, { config, log }: { config: WebConfig; log: Log }): Tap | null {
  const { AMQP_URL, AMQP_CA_FILE } = config;
  if (AMQP_URL === undefined) return null;
  const signatures = signatureRules(config);
  let wasConnected = false;
  return openTap({
    ...brokerOf({ AMQP_URL, AMQP_CA_FILE }),
    ...{ log, name: 'web', types: followedTypes(signatures) },
    signatures,
    receive: (event) => publish(hub, event),
    onReady: () => {
      if (wasConnected) hub.renewSessions();
      wasConnected = true;
    },
  });
}

function publish(hub: Hub, event: DomainEvent): void {
  if (!isAboutPages(event)) return;
  const about = aboutOf(event);
  if (!about) return;
  const { environment, chargeId, checkoutId } = event.data;
  if (about === 'session.ended') hub.endSession(event.aggregateId);
  const changed = JSON.stringify({ changed: changedBy({ type: about }) });
  if (environment) hub.publish(`${event.merchantId} ${environment}`, changed);
  if (chargeId !== null) hub.publish(`charge ${chargeId}`, JSON.stringify({ changed: ['charge'] }));
  if (checkoutId !== null) hub.publish(`checkout ${checkoutId}`, JSON.stringify({ changed: ['checkout'] }));
}

function isAboutPages(event: DomainEvent): event is PageUpdateEvent {
  return isPageUpdate(event.type);
}
