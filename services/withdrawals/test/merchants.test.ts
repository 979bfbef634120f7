import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MerchantSnapshot } from '@plataforma/events';
import { eventually } from '@plataforma/testing';
import { type Emitter, startEmitter } from '@plataforma/testing/world';
import { sharedWorld, type World } from './support/world.ts';

let world: World;
let gateway: Emitter;

beforeAll(async () => {
  world = await sharedWorld();
  gateway = await startEmitter(world.brokerUrl);
  world.stopFirst(gateway);
});
afterAll(() => world.stop());

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
    settlementCalendar: 'calendar',
    withdrawalFee: 0,
    withdrawalFeeMode: 'AMOUNT',
    autoApproveLimit: 0,
    dailyWithdrawalLimit: null,
    destinationCooldownHours: 0,
    sandboxAheadMs: 0,
    ...changes,
  };
}

async function tell(...snapshots: MerchantSnapshot[]): Promise<void> {
  const events = snapshots.map((data) => ({
    type: 'merchant.updated' as const,
    merchantId: data.id,
    environment: null,
    aggregateId: data.id,
    sequence: data.version,
    data,
  }));
  await gateway.announce(...events);
}

const known = (id: string) =>
  world.database.query('SELECT version, snapshot FROM merchants WHERE id = $1', [id]);

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
    const answer = await fetch(`${world.first.url}/readyz`);

    expect([answer.status, await answer.json()]).toEqual([
      200,
      { success: true, data: { database: 'ok', broker: 'ok', accepting: 'ok' } },
    ]);
  });
});
