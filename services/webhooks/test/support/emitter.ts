import { createLog, migrate, openDatabase } from '@plataforma/chassis';
import type { Announcement } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { announce, messagingTables, startRelay } from '@plataforma/messaging';
import { createTestDatabase } from '@plataforma/testing';

export interface Emitter {
  announce(...announcements: Announcement[]): Promise<void>;
  stop(): Promise<void>;
}

/** Stands for the charges service: announces through an outbox and a relay of its own. */
export async function startEmitter(brokerUrl: string): Promise<Emitter> {
  const { url, drop } = await createTestDatabase();
  await migrate(url, [messagingTables]);
  const log = createLog({ service: 'emitter', level: 'silent' });
  const database = openDatabase({ url, poolSize: 3, log });
  const relay = startRelay({ database, brokerUrl, name: 'emitter', log });

  return {
    announce: (...announcements) => database.transaction((tx) => announce(tx, ...announcements)),
    async stop() {
      await relay.stop();
      await database.close();
      await drop();
    },
  };
}

const charge = () => ({
  id: newId(),
  txid: newId().replaceAll('-', ''),
  externalId: 'pedido-1',
  paymentMethod: 'PIX' as const,
  amount: 2500,
  feeAmount: 25,
  netAmount: 2475,
});

export function paid(tenant: Tenant): Extract<Announcement, { type: 'charge.paid' }> {
  const data = { ...charge(), status: 'PAID' as const, paidAt: '2026-11-21T12:00:00.000Z', settlesAt: null };
  return { ...tenant, type: 'charge.paid', aggregateId: data.id, sequence: 1, data };
}

export function expired(tenant: Tenant): Extract<Announcement, { type: 'charge.expired' }> {
  const data = { ...charge(), status: 'EXPIRED' as const, paidAt: null };
  return { ...tenant, type: 'charge.expired', aggregateId: data.id, sequence: 1, data };
}
