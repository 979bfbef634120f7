import { beforeAll, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, listenAs, worldOfFile } from '@plataforma/testing/world';
import { startWorld, type World } from './support/world.ts';

const world = worldOfFile(startWorld);
const webhooks = beforeFile(() => listenAs('webhooks', world.brokerUrl));
beforeAll(() => world.stopFirst(webhooks));

const eventsOf = (id: string): DomainEvent[] =>
  webhooks.received.filter(({ aggregateId }) => aggregateId === id);
const namesOf = (id: string) => eventsOf(id).map(({ type, sequence }) => `${type} ${sequence}`);

/**
 * Creates withdrawals until the live update of a withdrawal arrives, because the first live updates are lost
 * if the broker's connection is not open yet.
 */
function announcedWithdrawal(settings: Parameters<World['newMerchant']>[0], amount: number) {
  return eventually(async () => {
    const merchant = world.newMerchant(settings, 'production');
    const withdrawal = await world.client.newWithdrawal(merchant, { amount });
    await eventually(() => expect(namesOf(withdrawal.id)[0]).toBe('withdrawal.created 0'), {
      timeoutMs: 1_000,
    });
    return { merchant, withdrawal };
  });
}

test('live lists receive a created withdrawal and its approval', async () => {
  const { merchant, withdrawal } = await announcedWithdrawal({ autoApproveLimit: 20_000 }, 20_001);
  const { id, amount, fee, netAmount, pixKey, createdAt } = withdrawal;

  await world.client.approve(id, newId());
  await eventually(() => expect(namesOf(id)).toContain('withdrawal.completed 3'));

  await eventually(() => expect(namesOf(id)).toHaveLength(4));
  const fields = { id, amount, fee, netAmount, pixKey, providerTxId: null, createdAt };
  const [created, approved] = ['withdrawal.created', 'withdrawal.approved'].map((type) =>
    eventsOf(id).find((event) => event.type === type),
  );
  expect(created).toMatchObject({ ...merchant, sequence: 0, data: { ...fields, status: 'PENDING' } });
  expect(approved).toMatchObject({ ...merchant, sequence: 1, data: { ...fields, status: 'APPROVED' } });
});

test('an automatically approved withdrawal is announced with the same events', async () => {
  const { withdrawal } = await announcedWithdrawal({ autoApproveLimit: 20_000 }, 20_000);

  await eventually(() =>
    expect(namesOf(withdrawal.id).toSorted()).toEqual([
      'withdrawal.approved 1',
      'withdrawal.completed 3',
      'withdrawal.created 0',
      'withdrawal.processing 2',
    ]),
  );
});
