import { afterAll, beforeAll } from '@jest/globals';
import { describeAccess } from '@plataforma/testing/proofs';
import { identities } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

describeAccess({
  service: 'webhooks',
  url: () => world.first.url,
  identities,
  internal: {
    'GET /internal/audit-log/verify': ['gateway'],
    'GET /internal/chain-anchors': ['gateway'],
    'GET /internal/timeline': ['gateway'],
  },
});
