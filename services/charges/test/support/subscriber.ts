import { createLog, migrate, openDatabase } from '@plataforma/chassis';
import type { DomainEvent, Subscriber } from '@plataforma/events';
import { deadLettersTable, listen, messagingTables } from '@plataforma/messaging';
import { createTestDatabase } from '@plataforma/testing';

interface Ear {
  /** All that came through the queue, in the order it came. */
  heard: DomainEvent[];
  stop(): Promise<void>;
}

/** Stands for a service that listens to us, with an inbox of its own. */
export async function listenAs(subscriber: Subscriber, brokerUrl: string): Promise<Ear> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, [messagingTables, deadLettersTable]);
  const log = createLog({ service: subscriber, level: 'silent' });
  const database = openDatabase({ url, poolSize: 2, log });
  const heard: DomainEvent[] = [];
  const apply = async (_tx: unknown, events: DomainEvent[]) => void heard.push(...events);
  const listener = listen({ database, log, subscriber, brokerUrl, apply });
  return {
    heard,
    async stop() {
      await listener.stop();
      await database.close();
      await drop();
    },
  };
}
