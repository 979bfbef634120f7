import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { openAt } from '@plataforma/testing/world';
import { anonymousHeader, merchantHeader, operatorHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { auditOf, pending, pendingTed } from './support/states.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const bodies = {
  approve: undefined,
  reject: { reason: 'Não.' },
  complete: { providerTxId: 'TED-1' },
  fail: { reason: 'Não.' },
};
const steps = Object.entries(bodies);
const lists = ['/withdrawals', '/payout-alarms', `/withdrawals/${newId()}`];

const decide = (id: string, [step, body]: [string, unknown], headers: Record<string, string>) =>
  world.client.send(`/v1/admin/withdrawals/${id}/${step}`, { method: 'POST', headers, body });
const look = (path: string, headers: Record<string, string>) =>
  world.client.send(`/v1/admin${path}`, { method: 'GET', headers });

describe('who decides about withdrawals', () => {
  test.each(['ADMIN', 'FINANCE'] as const)('may be %s', async (role) => {
    const [first, second] = [await pending(world), await pending(world)];

    const headers = operatorHeader({ role });
    expect(await decide(first.id, ['approve', undefined], headers)).toMatchObject({ status: 200 });
    expect(await decide(second.id, ['reject', bodies.reject], headers)).toMatchObject({ status: 200 });
    const ted = await pendingTed(world);
    await decide(ted.id, ['approve', undefined], headers);
    await ted.becomes('PROCESSING');
    expect(await decide(ted.id, ['complete', bodies.complete], headers)).toMatchObject({ status: 200 });
  });

  test.each(steps)('may not be SUPPORT: %s', async (step, body) => {
    const withdrawal = await pending(world);

    expect(await decide(withdrawal.id, [step, body], operatorHeader({ role: 'SUPPORT' }))).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
    expect(await auditOf(world, withdrawal)).toEqual([]);
  });

  test.each(steps)('is never a merchant, even of their own, nor anybody else: %s', async (step, body) => {
    const withdrawal = await pending(world);

    for (const headers of [merchantHeader(withdrawal.tenant), anonymousHeader(), {}]) {
      expect(await decide(withdrawal.id, [step, body], headers)).toMatchObject({
        status: 401,
        error: { code: 'UNAUTHORIZED' },
      });
    }
    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
  });
});

describe('who reads what operators read', () => {
  test.each(['ADMIN', 'FINANCE', 'SUPPORT'] as const)('may be %s', async (role) => {
    const statuses = [];
    for (const path of lists) statuses.push((await look(path, operatorHeader({ role }))).status);

    expect(statuses).toEqual([200, 200, 404]);
  });

  test('is never a merchant, nor anybody else', async () => {
    for (const path of lists) {
      for (const headers of [merchantHeader(world.newMerchant(), ['wallet:read']), anonymousHeader(), {}])
        expect(await look(path, headers)).toMatchObject({ status: 401 });
    }
  });
});

describe('the audit log', () => {
  test('can be changed neither by the service nor by its owner', async () => {
    const withdrawal = await pending(world);
    await world.client.approve(withdrawal.id, newId());
    const service = openAt(world.env.DATABASE_URL ?? '', 1);
    const noted = await auditOf(world, withdrawal);

    for (const database of [service, world.database]) {
      for (const change of [
        'UPDATE audit_log SET reason = $$$$',
        'DELETE FROM audit_log',
        'TRUNCATE audit_log',
      ])
        await expect(database.query(change)).rejects.toMatchObject({ code: '42501' });
    }

    await service.close();
    expect(noted).toHaveLength(1);
    expect(await auditOf(world, withdrawal)).toEqual(noted);
  });
});
