import type { DomainEvent } from '@plataforma/events';
import { openTap, type Tap } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import { brokerOf, signatureRules } from '@plataforma/service';
import type { WebConfig } from '../config.ts';
import { changedBy, chargeOf, checkoutOf, followedTypes } from './changes.ts';
import type { Hub } from './hub.ts';

/**
 * Subscribes this replica to the events that pages follow, and sends each event to the streams that it
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
  if (event.type === 'session.ended') hub.endSession(event.aggregateId);
  const changed = JSON.stringify({ changed: changedBy(event) });
  if (event.environment) hub.publish(`${event.merchantId} ${event.environment}`, changed);
  const charge = chargeOf(event);
  if (charge !== null) hub.publish(`charge ${charge}`, JSON.stringify({ changed: ['charge'] }));
  const checkout = checkoutOf(event);
  if (checkout !== null) hub.publish(`checkout ${checkout}`, JSON.stringify({ changed: ['checkout'] }));
}
