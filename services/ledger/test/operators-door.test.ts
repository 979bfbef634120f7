import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { failure } from './support/door.ts';
import { merchantHeader, newTenant, operatorHeader, serviceHeader } from './support/identity.ts';
import { asOperator, sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const post = (door: string, body: object) =>
  asOperator(world.first, { path: `/v1/admin/ledger/${door}`, body });

describe('an operator’s door', () => {
  const wanted = { ...newTenant(), amount: 100, reason: 'x', description: 'x' };

  test.each([
    ['a block', 'blocks', { amount: 0 }, 'amount'],
    ['a block', 'blocks', { amount: -1 }, 'amount'],
    ['a block', 'blocks', { reason: '' }, 'reason'],
    ['a block', 'blocks', { id: 'x' }, 'id'],
    ['an unblock', 'unblocks', { merchantId: 'x' }, 'merchantId'],
    ['an adjustment', 'adjustments', { amount: 0 }, 'amount'],
    ['an adjustment', 'adjustments', { amount: 1.5 }, 'amount'],
    ['an adjustment', 'adjustments', { description: undefined }, 'description'],
    ['an adjustment', 'adjustments', { merchantId: '00000000-0000-0000-0000-000000000000' }, 'merchantId'],
    ['an adjustment', 'adjustments', { environment: 'staging' }, 'environment'],
  ])('refuses %s whose content is wrong (%s %j)', async (_what, door, change, field) => {
    const answer = await post(door, { ...wanted, ...change });

    expect(answer).toEqual(failure(400, 'VALIDATION_ERROR'));
    expect(JSON.stringify(answer)).toContain(`"${field}: `);
  });

  test.each(['blocks', 'unblocks', 'adjustments'])(
    'does not let SUPPORT send %s, and lets FINANCE',
    async (door) => {
      const ask = (role: 'FINANCE' | 'SUPPORT') =>
        asOperator(world.first, { path: `/v1/admin/ledger/${door}`, body: wanted, role });

      expect(await ask('SUPPORT')).toEqual(failure(403, 'FORBIDDEN'));
      expect((await ask('FINANCE')).status).not.toBe(403);
    },
  );

  test.each([
    ['nobody', {}],
    ['a merchant', merchantHeader(newTenant())],
    ['a service', serviceHeader('charges')],
    ['an operator, for another service', operatorHeader({}, 'charges')],
  ])('is closed to %s', async (_who, headers) => {
    for (const path of ['accounts', 'trial-balance']) {
      const answer = await fetch(`${world.first.url}/v1/admin/ledger/${path}`, { headers });

      expect(answer.status).toBe(401);
    }
  });
});
