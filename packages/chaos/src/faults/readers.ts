import { type Subscriber, subscribers, subscriptions } from '@plataforma/events';

/** Those that events of merchants reach; the gateway keeps anchors alone, of which there is one an hour. */
export const readers: readonly Subscriber[] = subscribers.filter((name) => subscriptions[name].length > 0);
