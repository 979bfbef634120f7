import { type Subscriber, subscribers, subscriptions } from '@plataforma/events';

/**
 * Subscribers to merchants' events. The gateway is left out, because it consumes anchors only, which are few.
 */
export const readers: readonly Subscriber[] = subscribers.filter((name) => subscriptions[name].length > 0);
