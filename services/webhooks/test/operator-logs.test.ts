import { describeOperatorLogs } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { messageOf, paid } from './support/emitter.ts';
import { newTenant, operatorHeader } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

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
