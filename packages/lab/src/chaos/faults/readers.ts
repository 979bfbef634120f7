import { type Subscriber, subscribers, subscriptions } from '@plataforma/events';

/**
 * The services that consume events about merchants' objects. The gateway is left out, because it consumes
 * only the few events about hash chains.
 */
export const readers: readonly Subscriber[] = subscribers.filter((name) => subscriptions[name].length > 0);
