import type { DomainEvent, Subscriber } from '@plataforma/events';
import { createSignaturePolicy, listen } from '@plataforma/messaging';
import { comparedEvents, outboxSeals, sharedTables } from '@plataforma/tables';
import { openTestDatabase, silent } from '../world/open-test-database.ts';

interface Ear {
  received: DomainEvent[];
  stop(): Promise<void>;
}

/**
 * Starts a listener that receives the subscriber's events in place of the real service, and has an inbox of
 * its own.
 */
export async function listenAs(subscriber: Subscriber, brokerUrl: string): Promise<Ear> {
  const { database } = await openTestDatabase([sharedTables, outboxSeals, comparedEvents]);
  const received: DomainEvent[] = [];
  const apply = async (_tx: unknown, events: DomainEvent[]) => void received.push(...events);
  const signaturePolicy = createSignaturePolicy(subscriber, { mode: 'accept' });
  const listener = listen({ database, log: silent, subscriber, brokerUrl, apply, signaturePolicy });
  return {
    received,
    async stop() {
      await listener.stop();
      await database.close();
    },
  };
}
