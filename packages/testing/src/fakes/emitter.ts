import type { Announcement } from '@plataforma/events';
import { startRelay } from '@plataforma/messaging';
import { announce, outboxSeals, sharedTables } from '@plataforma/tables';
import { openTestDatabase, silent } from '../world/open-test-database.ts';
import { testSigner } from './event-keys.ts';

/** A fake service that publishes events through an outbox and a relay of its own. */
export interface Emitter {
  /** Publishes the events and returns their ids. */
  announce(...announcements: Announcement[]): Promise<string[]>;
  /**
   * Publishes all events a second time, as happens when a relay crashes before it has recorded the
   * publication.
   */
  publishAgain(): Promise<void>;
  stop(): Promise<void>;
}

const ANNOUNCED = 'SELECT event_id AS id FROM outbox WHERE xmin = pg_current_xact_id()::xid';

export async function startEmitter(brokerUrl: string): Promise<Emitter> {
  const { database } = await openTestDatabase([sharedTables, outboxSeals]);
  const relay = startRelay({
    database,
    brokerUrl,
    name: 'emitter',
    signer: testSigner,
    log: silent,
    pollMs: 100,
  });
  return {
    announce: (...announcements) =>
      database.transaction(async (tx) => {
        await announce(tx, ...announcements);
        return (await tx.query<{ id: string }>(ANNOUNCED)).map(({ id }) => id);
      }),
    async publishAgain() {
      await database.query('UPDATE outbox SET published_at = NULL');
    },
    async stop() {
      await relay.stop();
      await database.close();
    },
  };
}
