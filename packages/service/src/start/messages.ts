import { listen, startRelay } from '@plataforma/messaging';
import type { ReadGauges } from '@plataforma/observe';
import type { Begun } from './begun.ts';
import type { Core, Messages } from './service.ts';

/** What connects a service to the broker: its relay, its listener, or both. */
export interface BrokerLink {
  isConnected(): boolean;
  gauges: readonly ReadGauges[];
}

/** The relay stops after the entrances, whose last work it still publishes. */
export function startMessages(
  { brokerUrl, publishes, subscription }: Messages,
  { name, core, begun }: { name: string; core: Core<unknown>; begun: Begun },
): BrokerLink {
  const parts = { database: core.database, log: core.log, brokerUrl };
  const links: BrokerLink[] = [];
  if (publishes) {
    const relay = startRelay({ ...parts, name });
    begun.add('parts', relay.stop);
    links.push(relay);
  }
  if (subscription) {
    const listener = listen({ ...parts, ...subscription });
    begun.add('entrances', listener.stop);
    links.push(listener);
  }
  return {
    isConnected: () => links.every((link) => link.isConnected()),
    gauges: links.flatMap(({ gauges }) => gauges),
  };
}
