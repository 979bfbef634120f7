import { sharedTables } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import { announce, startRelay } from '@plataforma/messaging';
import { openTestDatabase, silent } from '../world/open-test-database.ts';
import { testSigner } from './event-keys.ts';

/** A service that announces through an outbox and a relay of its own. */
export interface Emitter {
  announce(...announcements: Announcement[]): Promise<void>;
  /** Publishes everything a second time, as a relay does that dies before it has marked what it published. */
  publishAgain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startEmitter(brokerUrl: string): Promise<Emitter> {
  const { database } = await openTestDatabase([sharedTables]);
  const relay = startRelay({
    database,
    brokerUrl,
    name: 'emitter',
    signer: testSigner,
    log: silent,
    pollMs: 100,
  });
  return {
    announce: (...announcements) => database.transaction((tx) => announce(tx, ...announcements)),
    async publishAgain() {
      await database.query('UPDATE outbox SET published_at = NULL');
    },
    async stop() {
      await relay.stop();
      await database.close();
    },
  };
}
