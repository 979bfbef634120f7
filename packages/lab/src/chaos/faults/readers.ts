import { type Subscriber, subscribers, subscriptions } from '@plataforma/events';

/** Those that events of merchants reach; the gateway keeps anchors alone, of which there are few. */
export const readers: readonly Subscriber[] = subscribers.filter((name) => subscriptions[name].length > 0);
