import { createLog, migrate, openDatabase } from '@plataforma/chassis';
import type { Announcement } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { announce, messagingTables, startRelay } from '@plataforma/messaging';
import { createTestDatabase } from '@plataforma/testing';

export interface Emitter {
  announce(...announcements: Announcement[]): Promise<void>;
  /** Publishes everything a second time, as a relay does that dies before it has marked what it published. */
  publishAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Stands for the charges service: announces through an outbox and a relay of its own. */
export async function startEmitter(brokerUrl: string): Promise<Emitter> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, [messagingTables]);
  const log = createLog({ service: 'emitter', level: 'silent' });
  const database = openDatabase({ url, poolSize: 3, log });
  const relay = startRelay({ database, brokerUrl, name: 'emitter', log, pollMs: 100 });

  return {
    announce: (...announcements) => database.transaction((tx) => announce(tx, ...announcements)),
    async publishAgain() {
      await database.query('UPDATE outbox SET published_at = NULL');
    },
    async stop() {
      await relay.stop();
      await database.close();
      await drop();
    },
  };
}

type ChargePaid = Extract<Announcement, { type: 'charge.paid' }>;

/** A charge.paid of 2500 with a fee of 25, unless said otherwise. */
export function paid(tenant: Tenant, changes: Partial<ChargePaid['data']> = {}): ChargePaid {
  const { amount = 2500, feeAmount = 25, id = newId() } = changes;
  const data: ChargePaid['data'] = {
    id,
    txid: id.replaceAll('-', ''),
    externalId: 'pedido-1',
    paymentMethod: 'PIX',
    amount,
    feeAmount,
    netAmount: amount - feeAmount,
    status: 'PAID',
    paidAt: '2026-11-21T12:00:00.000Z',
    ...changes,
  };
  return { ...tenant, type: 'charge.paid', aggregateId: id, sequence: 1, data };
}
