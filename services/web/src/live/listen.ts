import type { DomainEvent } from '@plataforma/events';
import { openTap, type Tap } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import { signatureRules } from '@plataforma/service';
import type { WebConfig } from '../config.ts';
import { changedBy, chargeOf, told } from './changes.ts';
import type { Hub } from './hub.ts';

/** Each replica hears every event, and tells those of its own streams that it concerns. */
export function listenFor(hub: Hub, { config, log }: { config: WebConfig; log: Log }): Tap | null {
  const { AMQP_URL: brokerUrl } = config;
  if (brokerUrl === undefined) return null;
  return openTap({
    ...{ brokerUrl, log, name: 'web', types: told },
    signatures: signatureRules(config),
    receive: (event) => tell(hub, event),
  });
}

function tell(hub: Hub, event: DomainEvent): void {
  const changed = JSON.stringify({ changed: changedBy(event) });
  if (event.environment) hub.tell(`${event.merchantId} ${event.environment}`, changed);
  const charge = chargeOf(event);
  if (charge !== null) hub.tell(`charge ${charge}`, JSON.stringify({ changed: ['charge'] }));
}
