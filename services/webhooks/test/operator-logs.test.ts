import { afterAll, beforeAll } from '@jest/globals';
import { describeOperatorLogs } from '@plataforma/testing/proofs';
import { messageOf, paid } from './support/emitter.ts';
import { newTenant, operatorHeader } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describeOperatorLogs({
  service: 'webhooks',
  world: () => world,
  operatorHeader,
  async letter() {
    const shop = await world.startMerchant();
    const tenant = newTenant();
    await world.configure(tenant, { url: shop.url });
    const announcement = paid(tenant);
    return {
      event: JSON.parse(messageOf(announcement)),
      expectApplied: () => shop.waitFor(({ body }) => body.includes(announcement.data.id)),
    };
  },
});
