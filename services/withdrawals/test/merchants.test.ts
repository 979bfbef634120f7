import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, type Database, migrate, openDatabase } from '@plataforma/chassis';
import type { MerchantSnapshot } from '@plataforma/events';
import { announce, messagingTables, type Relay, startRelay } from '@plataforma/messaging';
import {
  claimVhost,
  createTestDatabase,
  eventually,
  newKeyPair,
  type TestDatabase,
} from '@plataforma/testing';
import { startWithdrawals } from '../src/service.ts';

let homes: TestDatabase[];
let service: Awaited<ReturnType<typeof startWithdrawals>>;
let database: Database;
let emitter: Database;
let relay: Relay;

beforeAll(async () => {
  const brokerUrl = await claimVhost();
  const [own, foreign] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  homes = [own, foreign];
  service = await startWithdrawals({
    HOST: '127.0.0.1',
    PORT: '0',
    ...own.env,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
    AMQP_URL: brokerUrl,
    TRUSTED_KEYS: '{}',
    SERVICE_KEY: newKeyPair().privateKey,
    // Nobody listens there: what is told of merchants needs neither.
    GATEWAY_INTERNAL_URL: 'http://127.0.0.1:1',
    LEDGER_URL: 'http://127.0.0.1:1',
    PAYOUT_CALLBACK_SECRET: 'a-secret-of-payout-callbacks',
  });
  const log = createLog({ service: 'test', level: 'silent' });
  database = openDatabase({ url: own.url, poolSize: 2, log });
  await migrate(foreign.url, [messagingTables]);
  emitter = openDatabase({ url: foreign.url, poolSize: 3, log });
  relay = startRelay({ database: emitter, brokerUrl, name: 'emitter', log });
});
afterAll(async () => {
  await relay.stop();
  await service.stop();
  await Promise.all([database.close(), emitter.close()]);
  await Promise.all(homes.map((home) => home.drop()));
});

function snapshot(changes: Partial<MerchantSnapshot> = {}): MerchantSnapshot {
  return {
    id: randomUUID(),
    version: 1,
    name: 'Loja do Zé',
    status: 'PENDING',
    checkoutColor: '#1f6feb',
    pixFeeBps: 99,
    pixFeeFixed: 0,
    cardFeeBps: 399,
    cardFeeFixed: 0,
    cardEnabled: true,
    maxInstallments: 12,
    settlementDays: 30,
    withdrawalFee: 0,
    withdrawalFeeMode: 'AMOUNT',
    autoApproveLimit: 0,
    dailyWithdrawalLimit: null,
    destinationCooldownHours: 0,
    ...changes,
  };
}

function tell(...snapshots: MerchantSnapshot[]): Promise<void> {
  const events = snapshots.map((data) => ({
    type: 'merchant.updated' as const,
    merchantId: data.id,
    environment: null,
    aggregateId: data.id,
    sequence: data.version,
    data,
  }));
  return emitter.transaction((tx) => announce(tx, ...events));
}

const known = (id: string) => database.query('SELECT version, snapshot FROM merchants WHERE id = $1', [id]);

describe('the withdrawals service', () => {
  test('keeps what it is told of a merchant', async () => {
    const merchant = snapshot();

    await tell(merchant);

    await eventually(async () =>
      expect(await known(merchant.id)).toEqual([{ version: 1, snapshot: merchant }]),
    );
  });

  test('keeps the newest news, in whatever order they come', async () => {
    const merchant = snapshot();
    const approved = { ...merchant, version: 2, status: 'APPROVED' as const };
    const last = snapshot();

    await tell(approved, merchant);
    await tell(merchant);
    await tell(last);

    await eventually(async () => expect(await known(last.id)).toHaveLength(1));
    expect(await known(merchant.id)).toEqual([{ version: 2, snapshot: approved }]);
  });

  test('is ready with its database and broker', async () => {
    const answer = await fetch(`${service.url}/readyz`);

    expect([answer.status, await answer.json()]).toEqual([
      200,
      { success: true, data: { database: 'ok', broker: 'ok', accepting: 'ok' } },
    ]);
  });
});
